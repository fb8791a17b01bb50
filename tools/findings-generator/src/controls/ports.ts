import type { NonEmpty } from '../random.ts';
import { type Control, mapEach } from './control.ts';

/** A port that should not be reachable from the internet. */
export interface Port {
  number: number;
  protocol: 'tcp' | 'udp';
  /** The port as it appears in a check ID, such as "tcp_22". */
  code: string;
  /** The port as it appears in a sentence, such as "TCP port 22 (SSH)". */
  text: string;
}

export type IpVersion = 4 | 6;

/** The whole internet in CIDR notation. */
export const INTERNET = { 4: '0.0.0.0/0', 6: '::/0' } as const;

const SERVICES: NonEmpty<readonly [number, string]> = [
  [22, 'SSH'],
  [3389, 'RDP'],
  [5432, 'PostgreSQL'],
  [3306, 'MySQL'],
  [6379, 'Redis'],
  [9200, 'Elasticsearch'],
  [27_017, 'MongoDB'],
  [1433, 'SQL Server'],
  [23, 'Telnet'],
  [445, 'SMB'],
  [9092, 'Kafka'],
  [11_211, 'Memcached'],
  [2375, 'Docker'],
  [6443, 'Kubernetes API'],
  [21, 'FTP'],
  [5601, 'Kibana'],
  [1521, 'Oracle Database'],
  [9042, 'Cassandra'],
  [5672, 'AMQP'],
  [15_672, 'RabbitMQ management'],
  [389, 'LDAP'],
  [636, 'LDAPS'],
  [111, 'rpcbind'],
  [135, 'Microsoft RPC'],
  [139, 'NetBIOS'],
  [873, 'rsync'],
  [2049, 'NFS'],
  [2181, 'ZooKeeper'],
  [2379, 'etcd'],
  [10_250, 'kubelet'],
  [5900, 'VNC'],
  [5985, 'WinRM'],
  [8500, 'Consul'],
  [8086, 'InfluxDB'],
  [8123, 'ClickHouse'],
  [9000, 'ClickHouse native protocol'],
  [9090, 'Prometheus'],
  [4222, 'NATS'],
  [1883, 'MQTT'],
  [7687, 'Neo4j'],
  [8089, 'Splunk management'],
  [50_070, 'HDFS NameNode'],
];

// Ports for remote administration, databases, and other internal services.
const PORTS = mapEach(SERVICES, ([number, service]) => portOf('TCP', number, service));

/** Builds a control for every well-known port. */
export function forEachPort(
  control: (port: Port, ipVersion: IpVersion) => Control,
  ipVersion: IpVersion,
): NonEmpty<Control> {
  return mapEach(PORTS, (port) => control(port, ipVersion));
}

/** Returns the combination of port and IP version with this number, excluding the well-known ports. */
export function furtherPort(number: number): { port: Port; ipVersion: IpVersion } {
  return { port: portOf('UDP', 1024 + (number >>> 1)), ipVersion: number % 2 === 0 ? 4 : 6 };
}

function portOf(protocol: 'TCP' | 'UDP', number: number, service?: string): Port {
  return {
    number,
    protocol: protocol === 'TCP' ? 'tcp' : 'udp',
    code: `${protocol.toLowerCase()}_${number}`,
    text: `${protocol} port ${number}${service === undefined ? '' : ` (${service})`}`,
  };
}
