import type { NonEmpty } from '../random.ts';
import { instance, networkAcl, securityGroup } from '../resource-types/aws.ts';
import { type Control, interleave } from './control.ts';
import { forEachPort, furtherPort, INTERNET, type IpVersion, type Port } from './ports.ts';

/** One control per port, IP version, and resource type. */
export const NETWORK_CONTROLS: NonEmpty<Control> = interleave(
  forEachPort(securityGroupControl, 4),
  forEachPort(securityGroupControl, 6),
  forEachPort(networkAclControl, 4),
  forEachPort(networkAclControl, 6),
  forEachPort(instanceControl, 4),
);

/** Builds a control for a port that is not well known. */
export function furtherNetworkControl(number: number): Control {
  const { port, ipVersion } = furtherPort(number);
  return { ...securityGroupControl(port, ipVersion), severity: 2 };
}

function securityGroupControl(port: Port, ipVersion: IpVersion): Control {
  const source = INTERNET[ipVersion];
  return {
    resource: securityGroup,
    service: 'ec2',
    code: `securitygroup_ipv${ipVersion}_ingress_${port.code}`,
    title: `Security group does not allow ingress from ${source} to ${port.text}`,
    desc: `**EC2 security groups** are evaluated for inbound rules that allow ${port.text} from \`${source}\`. Rules with a port range that includes the port also fail the check.`,
    risk: 'Internet-wide access lets anyone probe the service. **Brute-force attacks**, leaked credentials, or a known exploit can give an attacker a foothold in the VPC.',
    remedy: `Remove the rule (\`ec2:RevokeSecurityGroupIngress\`), or limit its source to known addresses or security groups.\n\nUse **Session Manager** or a VPN for administrative access.`,
    pass: `does not allow ingress from ${source} to ${port.text}.`,
    fail: `allows ingress from ${source} to ${port.text}.`,
    permission: 'ec2:DescribeSecurityGroups',
    severity: 4,
    category: 'internet-exposed',
    evidence: (passed) => ({
      ingress_rules: [
        {
          IpProtocol: port.protocol,
          FromPort: port.number,
          ToPort: port.number,
          [ipVersion === 4 ? 'CidrIp' : 'CidrIpv6']: passed ? privateRange(ipVersion) : source,
        },
      ],
    }),
  };
}

function instanceControl(port: Port, ipVersion: IpVersion): Control {
  return {
    resource: instance,
    service: 'ec2',
    code: `instance_ipv${ipVersion}_exposed_${port.code}`,
    title: `EC2 instance does not expose ${port.text} to the internet`,
    desc: `**EC2 instances** are evaluated for a public address, a route to an internet gateway, and a security group that allows ${port.text} from any address.`,
    risk: 'The service is **reachable from the internet** and not only permitted by a rule. Attackers find it with routine scans and attack it directly.',
    remedy:
      'Remove the public address or the security group rule (`ec2:ModifyNetworkInterfaceAttribute`).\n\nPublish the service through a **load balancer** with authentication, if it must be public.',
    pass: `does not expose ${port.text} to the internet.`,
    fail: `exposes ${port.text} to the internet.`,
    permission: 'ec2:DescribeInstances',
    severity: 5,
    category: 'internet-exposed',
    evidence: (passed) => ({ public_subnet: !passed, exposed_ports: passed ? [] : [port.number] }),
  };
}

function networkAclControl(port: Port, ipVersion: IpVersion): Control {
  const source = INTERNET[ipVersion];
  return {
    resource: networkAcl,
    service: 'ec2',
    code: `networkacl_ipv${ipVersion}_ingress_${port.code}`,
    title: `Network ACL does not allow ingress from ${source} to ${port.text}`,
    desc: `**Network ACLs** are evaluated for inbound entries that allow ${port.text} from \`${source}\`. Entries are evaluated in the order of their rule numbers.`,
    risk: 'A network ACL is the second layer of defense. If it allows the port, one misconfigured **security group rule** exposes the resources that use the group.',
    remedy:
      'Replace the entry with one that allows only known address ranges (`ec2:ReplaceNetworkAclEntry`).\n\nVerify afterward that **health checks** and return traffic still pass.',
    pass: `does not allow ingress from ${source} to ${port.text}.`,
    fail: `allows ingress from ${source} to ${port.text}.`,
    permission: 'ec2:DescribeNetworkAcls',
    severity: 3,
    category: 'internet-exposed',
    evidence: (passed) => ({
      entries: [
        {
          RuleNumber: 100,
          RuleAction: passed ? 'deny' : 'allow',
          PortRange: { From: port.number, To: port.number },
          [ipVersion === 4 ? 'CidrBlock' : 'Ipv6CidrBlock']: source,
        },
      ],
    }),
  };
}

function privateRange(ipVersion: IpVersion): string {
  return ipVersion === 4 ? '10.0.0.0/8' : 'fd00::/8';
}
