/** Control characters and line separators, with which a name could forge a line of the message. */
const SEPARATORS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/** Converts text to one line in Slack's format, in which `&`, `<` and `>` are control characters. */
export function slackText(text: string): string {
  return text
    .replaceAll(SEPARATORS, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

/** A link in Slack's format, or only its text if there is no URL. */
export function slackLink(text: string, url: string | undefined): string {
  // A vertical bar separates the URL from the text.
  return url === undefined ? slackText(text) : `<${url}|${slackText(text).replaceAll('|', '¦')}>`;
}
