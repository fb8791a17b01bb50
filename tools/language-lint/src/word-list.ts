/** A word or phrase to avoid, and its replacement. A space in the pattern matches any whitespace. */
export interface Entry {
  readonly pattern: RegExp;
  readonly instead: string;
}

/** For sentences: documentation, comments, messages, labels and test titles. */
export const PHRASES: readonly Entry[] = [
  entry(String.raw`\banswer(s|ed|ing)?\b`, 'response; to respond, to return'),
  entry(String.raw`\b(told|tells?|telling)\b`, 'reported, detected by, returned'),
  entry(String.raw`\bthe truth\b`, 'the real state'),
  entry(
    String.raw`\bwhat (nobody|no one|runs|came|comes|went|lies|stands|rests|remains|belongs)\b`,
    'a noun',
  ),
  entry(
    String.raw`\bwhat (is|are|was|were|has been|had been|can be|could be|must be) (not |never |still |already )?\w{2,}(ed|en|wn|ld|nt|ng)\b`,
    'a noun',
  ),
  entry(String.raw`\b(came|comes|come|coming) in\b(?! (handy|with|as|into))`, 'received, uploaded, ingested'),
  entry(String.raw`\b(has|have|had) brought\b|\bbrought (of|by|along)\b`, 'reported, uploaded'),
  entry(String.raw`\b(rests|rested|resting)\b`, 'backs off, waits'),
  entry(String.raw`\b(keeps?|keeping) house\b|\bhouse-?keep(ing|er)\b`, 'garbage collection, retention'),
  entry(String.raw`\b(put|puts|putting) off\b`, 'reschedule'),
  entry(String.raw`\b(give|gives|gave|given|giving) (it |them )?back\b`, 'release, return'),
  entry(String.raw`\bin (its|their|his) hands\b`, 'held by the worker'),
  entry(String.raw`\bis begun\b|\bwas begun\b|\bare begun\b`, 'in progress, started'),
  entry(String.raw`\bin earnest\b`, 'in production'),
  entry(String.raw`\bmay come in\b`, 'access control, members'),
  entry(String.raw`\bmad[e] good\b|\bmend(s|ed|ing)?\b`, 'fix, repair, recover'),
  entry(String.raw`\bvanish(es|ed|ing)?\b|\bwithout a word\b`, 'disappear silently, drop off the network'),
  entry(String.raw`\b(go|goes|gone|went|going) on with\b`, 'resume, continue'),
  entry(String.raw`\byardsticks?\b`, 'baseline'),
  entry(String.raw`\busual service\b`, 'naive baseline'),
  entry(String.raw`\bwhere to look\b|\bwhat to see\b`, 'next steps'),
  entry(String.raw`\bthe same as a table\b`, 'View as table'),
  entry(String.raw`\bof which\b`, 'two sentences'),
  entry(String.raw`\bfor ever\b`, 'forever, permanently'),
  entry(String.raw`\b(a|the|without|no) wish(es)?\b`, 'requested, default'),
  entry(String.raw`\b(is|are|no) news\b`, 'newly revoked, changed'),
  entry(String.raw`\bkinds? of\b|\b(each|every|which|what|this|that|one) kind\b`, 'type'),
  entry(String.raw`\bone (\w+ )?less\b`, 'one fewer'),
  entry(String.raw`\btaken back\b|\btake back\b`, "can't be undone"),
  entry(String.raw`\bshown (just )?this once\b`, "You won't be able to see it again"),
  entry(String.raw`\basking the service\b`, 'Signing in… / Loading…'),
  entry(String.raw`\bjudg(e|es|ed|ing)\b`, 'evaluate'),
  entry(String.raw`(?<!aria-live=")\bpolite(ly)?\b`, 'rate limiting'),
  entry(String.raw`\bthe grave ones\b`, 'high severity'),
  entry(String.raw`\btakes? no changes\b`, 'is read-only'),
  entry(String.raw`(?<=^\P{L}*|[.;:,] )of these\b(?=,? \w)`, 'a plain list'),
  entry(String.raw`\bjust now\b`, 'already running, a moment ago'),
  entry(String.raw`\b(is|are|was|were|be|been) away\b`, 'unavailable'),
  entry(String.raw`\b(is|are|was|were|be) gone\b`, 'was deleted, is closed, no longer exists'),
  entry(String.raw`\bstands? (in|on|at|here|there|above|below|beside|alone)\b`, 'is, appears'),
  entry(String.raw`\bin the hands of\b`, 'held by'),
  entry(String.raw`\bby (it|them)sel(f|ves)\b`, 'alone, automatically'),
  entry(String.raw`\bas well as it can\b`, 'best effort'),
  entry(String.raw`\bsays? (so|that|what|which|why|who|how|where)\b`, 'reports, states, explains'),
  entry(String.raw`\b(the|last|more|many|further|several|of|its|their) tries\b`, 'attempts'),
  entry(String.raw`\bpromis(e|es|ed|ing)\b(?=( is| that| are|:))`, 'guarantee'),
  entry(String.raw`\bnone of its own\b|\b(a|an) \w+ of (its|their) own\b`, 'its own ...'),
  entry(String.raw`\bnot any ?more\b|\bno \w+ any ?more\b`, 'no longer'),
  entry(String.raw`\bhas to be so\b|\bis to be\b`, 'must'),
  entry(
    String.raw`\bthe way of (a|the) (file|upload|record|request|finding)`,
    'the life of an upload, request flow',
  ),
  entry(String.raw`\bspare (for|blob|row|frame|file)s?\b`, 'unreferenced'),
  entry(String.raw`\bnothing (is|was) lost by\b`, 'no data is lost'),
];

/** For the words in identifiers and file names. `giveBack` is matched as `give back`. */
export const NAMES: readonly Entry[] = [
  entry(String.raw`\banswer(s|ed|ing)?\b`, 'response'),
  entry(String.raw`\b(told|tells?)\b`, 'reported, detected'),
  entry(String.raw`\bgive(n|s)? back\b`, 'release'),
  entry(String.raw`\bput off\b`, 'reschedule'),
  entry(String.raw`\bhouse( ?keep(ing|er)?)?\b|\bkeep house\b`, 'garbage collection'),
  entry(String.raw`\bgrowing\b`, 'backoff, scaling'),
  entry(String.raw`\blooks?\b`, 'probe, assert'),
  entry(String.raw`\busual\b`, 'naive, default'),
  entry(String.raw`\byardsticks?\b`, 'baseline'),
  entry(String.raw`\bwish(es|ed)?\b`, 'requested'),
  entry(String.raw`\bnews\b`, 'changes'),
  entry(String.raw`(?<!span )\bkinds?\b`, 'type'),
  entry(String.raw`\bjudg(e|es|ed|ing|ment)\b`, 'evaluate'),
  entry(String.raw`\btries\b`, 'attempts'),
  entry(String.raw`\baway\b`, 'unavailable'),
  entry(String.raw`\bmend(ed)?\b`, 'repair'),
  entry(String.raw`\bgrave\b`, 'severe'),
];

function entry(pattern: string, instead: string): Entry {
  return { pattern: new RegExp(pattern.replaceAll(' ', '\\s+'), 'giu'), instead };
}

/** Splits a name into words. `giveBack`, `GIVE_BACK`, and `give-back` become `give back`. */
export function splitName(name: string): string {
  return name
    .replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replaceAll(/[_.-]+/g, ' ')
    .toLowerCase();
}
