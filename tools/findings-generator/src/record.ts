import type { Ingredients } from './ingredients.ts';
import { metadataOf, tagsOf } from './resource.ts';
import type { Json, JsonObject } from './resource-types/resource-type.ts';

/** Builds a record with all top-level keys of a record from a real scanner, in the same order. */
export function buildRecord(from: Ingredients): JsonObject {
  const { options, check, outcome, timeText } = from;
  const text = statusText(from);
  const otherClass = outcome.flaw === 'other-class';
  return {
    message: text,
    metadata: metadataObject(from),
    severity_id: check.control.severity,
    severity: check.severity,
    status: outcome.muted ? 'Suppressed' : 'New',
    status_code: outcome.flaw === 'unknown-status-code' ? 'SKIPPED' : outcome.statusCode,
    status_detail: text,
    status_id: outcome.muted ? 3 : 1,
    unmapped: unmappedObject(from),
    activity_name: 'Create',
    activity_id: 1,
    finding_info: findingObject(from),
    resources: [resourceObject(from)],
    category_name: 'Findings',
    category_uid: 2,
    class_name: otherClass ? 'Compliance Finding' : 'Detection Finding',
    class_uid: otherClass ? 2003 : outcome.flaw === 'class-as-text' ? '2004' : 2004,
    ...(from.hasCloud ? { cloud: cloudObject(from) } : {}),
    remediation: check.remediation,
    risk_details: check.control.risk,
    time: options.time,
    time_dt: timeText,
    type_uid: otherClass ? 200301 : 200401,
    type_name: otherClass ? 'Compliance Finding: Create' : 'Detection Finding: Create',
  };
}

function statusText({ check, outcome, resource }: Ingredients): string {
  const { pass, fail, permission } = check.control;
  const manual = `could not be evaluated because the scanner lacks the permission ${permission}.`;
  const texts = { PASS: pass, FAIL: fail, MANUAL: manual };
  return `${resource.type.noun} ${resource.name} ${texts[outcome.statusCode]}`;
}

function metadataObject({ account, check, hasCloud }: Ingredients): JsonObject {
  return {
    event_code: check.id,
    product: {
      name: 'Findings Generator',
      uid: 'findings-generator',
      vendor_name: 'Sluice',
      version: '0.1.0',
    },
    profiles: [hasCloud ? 'cloud' : 'container', 'datetime'],
    ...(account.tenantUid === undefined ? {} : { tenant_uid: account.tenantUid }),
    version: '1.5.0',
  };
}

function unmappedObject(from: Ingredients): JsonObject {
  return {
    ...from.check.unmapped,
    scan_id: from.scanId,
    provider_uid: from.hasCloud
      ? from.account.providerUid
      : possiblyFlawedAccountUid(from, from.account.providerUid),
    provider: from.options.provider,
  };
}

function findingObject({ options, check, account, resource, outcome, timeText }: Ingredients): JsonObject {
  const { control } = check;
  // The same format that a real scanner uses. The UID can't be parsed unambiguously, because names may contain hyphens.
  const uid = `generated-${options.provider}-${check.id}-${account.uid}-${resource.region}-${resource.name}`;
  return {
    analytic: { category: control.service, name: control.title, type: 'Rule', type_id: 1, uid: check.id },
    ...(check.attacks.length === 0 ? {} : { attacks: check.attacks }),
    created_time: options.time,
    created_time_dt: timeText,
    desc: control.desc,
    title: control.title,
    types: check.types,
    ...(outcome.flaw === 'missing-finding-uid' ? {} : { uid }),
  };
}

function resourceObject(from: Ingredients): JsonObject {
  const { provider, hasCloud, check, resource } = from;
  const isReadable = from.outcome.statusCode !== 'MANUAL';
  const tags = isReadable ? tagsOf(from.random) : [];
  return {
    ...(provider.partition === undefined ? {} : { cloud_partition: provider.partition }),
    ...(hasCloud ? { region: resource.region } : { namespace: resource.region }),
    data: { details: '', metadata: isReadable ? { ...metadataOf(from, tags), ...evidenceOf(from) } : {} },
    group: { name: check.control.service },
    labels: tags.map(({ key, value }) => `${key}:${value}`),
    name: resource.name,
    type: resource.type.type,
    uid: resource.uid,
  };
}

/** Returns the attributes that the check evaluated. */
function evidenceOf({ check, outcome, account, resource, random }: Ingredients): JsonObject {
  return check.control.evidence(outcome.statusCode === 'PASS', { account, ...resource }, random);
}

function cloudObject(from: Ingredients): JsonObject {
  const { account, provider, options, resource } = from;
  return {
    account: {
      name: account.name,
      type: provider.accountType,
      type_id: provider.accountTypeId,
      uid: possiblyFlawedAccountUid(from, account.uid),
      labels: [],
    },
    org: account.org,
    provider: options.provider,
    region: resource.region,
  };
}

/** Returns the account uid. The uid is a number if that is the flaw of the record. */
function possiblyFlawedAccountUid({ outcome, accountOrdinal }: Ingredients, uid: string): Json {
  if (outcome.flaw !== 'account-as-number') {
    return uid;
  }
  return /^\d+$/.test(uid) ? Number(uid) : 1000 + accountOrdinal;
}
