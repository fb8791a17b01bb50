import type { NonEmpty } from '../random.ts';
import { keyVault, securityGroup, storageAccount, virtualMachine } from '../resource-types/azure.ts';
import { type Catalog, type Control, interleave } from './control.ts';
import { forEachPort, furtherPort, INTERNET, type IpVersion, type Port } from './ports.ts';

/** Controls for individual resources. Their titles and descriptions are not copied from any scanner. */
const RESOURCE_CONTROLS: NonEmpty<Control> = [
  {
    resource: storageAccount,
    service: 'storage',
    code: 'account_secure_transfer_required',
    title: 'Storage account requires secure transfer',
    desc: '**Storage accounts** are evaluated for the *Secure transfer required* setting and a minimum TLS version of `1.2`.',
    risk: 'Plaintext requests and outdated TLS versions let an attacker on the network **read or modify data** in transit, including access tokens.',
    remedy:
      'Enable *Secure transfer required*, and set the minimum TLS version to 1.2.\n\nEnforce both settings for all subscriptions with **Azure Policy**.',
    pass: 'requires secure transfer.',
    fail: 'accepts insecure transfer.',
    permission: 'Microsoft.Storage/storageAccounts/read',
    severity: 4,
    category: 'encryption',
    evidence: (passed) => ({ https_only: passed, minimum_tls_version: passed ? 'TLS1_2' : 'TLS1_0' }),
  },
  {
    resource: storageAccount,
    service: 'storage',
    code: 'account_no_public_blobs',
    title: 'Storage account does not allow public blob access',
    desc: '**Storage accounts** are evaluated for the setting *Allow blob anonymous access*, which lets containers become public.',
    risk: 'Anyone can list and download the blobs of a public container **without authentication**, and the access leaves no identity in the logs.',
    remedy:
      'Disable anonymous access for the storage account.\n\nShare blobs through **Microsoft Entra ID** or a user delegation SAS with a short lifetime.',
    pass: 'does not allow public blob access.',
    fail: 'allows public blob access.',
    permission: 'Microsoft.Storage/storageAccounts/read',
    severity: 5,
    category: 'internet-exposed',
    evidence: (passed) => ({ allow_blob_public_access: !passed }),
  },
  {
    resource: storageAccount,
    service: 'storage',
    code: 'account_customer_managed_key',
    title: 'Storage account is encrypted with a customer-managed key',
    desc: '**Storage accounts** are evaluated for encryption with a key in *Azure Key Vault*. Accounts with Microsoft-managed keys fail.',
    risk: 'Without a customer-managed key, you cannot revoke access to the data or **prove who used the key**.',
    remedy:
      'Create a key with automatic rotation in Key Vault, and select it in the encryption settings.\n\nUse a **user-assigned managed identity** for access to the key.',
    pass: 'is encrypted with a customer-managed key.',
    fail: 'is not encrypted with a customer-managed key.',
    permission: 'Microsoft.Storage/storageAccounts/read',
    severity: 3,
    category: 'encryption',
    evidence: (passed, _at, random) => ({
      encryption_key: passed
        ? `https://kv-${random.hex(8)}.vault.azure.net/keys/storage/${random.hex(32)}`
        : null,
    }),
  },
  {
    resource: storageAccount,
    service: 'storage',
    code: 'account_blob_soft_delete',
    title: 'Storage account has soft delete enabled for blobs',
    desc: '**Storage accounts** are evaluated for *soft delete* of blobs with a retention period of at least 7 days.',
    risk: 'Without soft delete, blobs that were deleted or overwritten by mistake or by **ransomware** cannot be recovered.',
    remedy:
      'Enable soft delete for blobs and containers, and retain deleted data for at least 7 days.\n\nAdd a **resource lock** to accounts with backups.',
    pass: 'has soft delete enabled for blobs.',
    fail: 'does not have soft delete enabled for blobs.',
    permission: 'Microsoft.Storage/storageAccounts/blobServices/read',
    severity: 3,
    category: 'resilience',
    evidence: (passed, _at, random) => ({ soft_delete_days: passed ? 7 + random.below(24) : null }),
  },
  {
    resource: keyVault,
    service: 'keyvault',
    code: 'purge_protection',
    title: 'Key vault has purge protection enabled',
    desc: '**Key vaults** are evaluated for *purge protection*, which prevents permanent deletion during the retention period.',
    risk: 'Deleted keys make all data that they encrypt **unreadable forever**. An attacker with access to the vault can use this for extortion.',
    remedy:
      'Enable purge protection. It cannot be disabled later.\n\nLimit the permission `Microsoft.KeyVault/locations/deletedVaults/purge/action` to **emergency accounts**.',
    pass: 'has purge protection enabled.',
    fail: 'does not have purge protection enabled.',
    permission: 'Microsoft.KeyVault/vaults/read',
    severity: 4,
    category: 'resilience',
    evidence: (passed) => ({ enable_purge_protection: passed ? true : null }),
  },
  {
    resource: keyVault,
    service: 'keyvault',
    code: 'rbac_enabled',
    title: 'Key vault uses role-based access control',
    desc: '**Key vaults** are evaluated for the permission model *Azure RBAC*. Vaults with access policies fail.',
    risk: 'With access policies, anyone with the Contributor role on the vault can **grant themselves access** to its keys and secrets.',
    remedy:
      'Assign roles such as `Key Vault Secrets User`, then switch the permission model to Azure RBAC.\n\nUse **Privileged Identity Management** for administrators.',
    pass: 'uses role-based access control.',
    fail: 'uses access policies.',
    permission: 'Microsoft.KeyVault/vaults/read',
    severity: 3,
    category: 'identity-access',
    evidence: (passed) => ({ enable_rbac_authorization: passed }),
  },
  {
    resource: keyVault,
    service: 'keyvault',
    code: 'secrets_expiration_set',
    title: 'Key vault has an expiration date for all secrets',
    desc: 'Enabled secrets in **key vaults** are evaluated for an expiration date within the next year.',
    risk: 'Secrets without an expiration date are rarely rotated, and a **leaked secret** remains usable indefinitely.',
    remedy:
      'Set an expiration date for each secret, and rotate it with an Event Grid trigger.\n\nReplace secrets with **managed identities** where possible.',
    pass: 'has an expiration date for all secrets.',
    fail: 'has secrets without an expiration date.',
    permission: 'Microsoft.KeyVault/vaults/secrets/readMetadata/action',
    severity: 3,
    category: 'secrets',
    evidence: (passed, _at, random) => ({
      secrets: [
        {
          name: `secret-${random.hex(6)}`,
          expires: passed ? 1_790_000_000 + random.below(20_000_000) : null,
        },
      ],
    }),
  },
  {
    resource: virtualMachine,
    service: 'vm',
    code: 'no_public_ip',
    title: 'Virtual machine has no public IP address',
    desc: 'Network interfaces of **virtual machines** are evaluated for a public IP address.',
    risk: 'Virtual machines with public addresses are **scanned continuously**. A single open port or weak password leads to a compromise.',
    remedy:
      'Dissociate the public address, and connect through **Azure Bastion** or a VPN.\n\nPublish services through an application gateway.',
    pass: 'has no public IP address.',
    fail: 'has a public IP address.',
    permission: 'Microsoft.Network/networkInterfaces/read',
    severity: 4,
    category: 'internet-exposed',
    evidence: (passed, _at, random) => ({ public_ip: passed ? null : `203.0.113.${random.below(256)}` }),
  },
  {
    resource: virtualMachine,
    service: 'vm',
    code: 'trusted_launch_enabled',
    title: 'Virtual machine uses trusted launch',
    desc: '**Virtual machines** of generation 2 are evaluated for *secure boot* and a virtual TPM.',
    risk: 'Without secure boot, **rootkits and boot kits** can load before the operating system and remain undetected.',
    remedy:
      'Enable trusted launch with secure boot and vTPM. The virtual machine must be deallocated first.\n\nMonitor boot integrity with **Defender for Cloud**.',
    pass: 'uses trusted launch.',
    fail: 'does not use trusted launch.',
    permission: 'Microsoft.Compute/virtualMachines/read',
    severity: 3,
    category: 'vulnerabilities',
    evidence: (passed) => ({ security_profile: { secure_boot: passed, vtpm: passed } }),
  },
  {
    resource: virtualMachine,
    service: 'vm',
    code: 'backup_enabled',
    title: 'Virtual machine is protected by Azure Backup',
    desc: '**Virtual machines** are evaluated for an association with a backup policy and a recovery point from the last 24 hours.',
    risk: 'Without recent recovery points, a failed update or **ransomware** leads to permanent loss of the data on the disks.',
    remedy:
      'Assign the virtual machine to a daily backup policy in a Recovery Services vault.\n\nEnable **immutability** for the vault, and test a restore every quarter.',
    pass: 'is protected by Azure Backup.',
    fail: 'is not protected by Azure Backup.',
    permission: 'Microsoft.RecoveryServices/vaults/backupProtectedItems/read',
    severity: 4,
    category: 'resilience',
    evidence: (passed, _at, random) => ({ backup_policy: passed ? `daily-${random.hex(6)}` : null }),
  },
];

export const azureCatalog: Catalog = {
  controls: interleave(
    RESOURCE_CONTROLS,
    forEachPort(securityGroupControl, 4),
    forEachPort(securityGroupControl, 6),
  ),
  further(number) {
    const { port, ipVersion } = furtherPort(number);
    return { ...securityGroupControl(port, ipVersion), severity: 2 };
  },
};

function securityGroupControl(port: Port, ipVersion: IpVersion): Control {
  const source = INTERNET[ipVersion];
  return {
    resource: securityGroup,
    service: 'network',
    code: `securitygroup_ipv${ipVersion}_inbound_${port.code}`,
    title: `Network security group does not allow ${port.text} from ${source}`,
    desc: `**Network security groups** are evaluated for inbound rules that allow ${port.text} from \`${source}\`, \`*\`, or the service tag \`Internet\`.`,
    risk: 'Exposed ports are found by routine scans and attacked with **password spraying** and known exploits. A compromised host leads to the rest of the virtual network.',
    remedy:
      'Delete the rule, or limit its source to known address ranges.\n\nUse **just-in-time access** or Azure Bastion for administration.',
    pass: `does not allow ${port.text} from ${source}.`,
    fail: `allows ${port.text} from ${source}.`,
    permission: 'Microsoft.Network/networkSecurityGroups/read',
    severity: 4,
    category: 'internet-exposed',
    evidence: (passed) => ({
      security_rules: [
        {
          direction: 'Inbound',
          access: passed ? 'Deny' : 'Allow',
          source_address_prefix: source,
          destination_port_range: String(port.number),
        },
      ],
    }),
  };
}
