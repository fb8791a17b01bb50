/** Escapes text for Slack's format, in which `&`, `<` and `>` are control characters. */
export function slackText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** A link in Slack's format, or only its text if there is no URL. */
export function slackLink(text: string, url: string | undefined): string {
  // A vertical bar separates the URL from the text.
  return url === undefined ? slackText(text) : `<${url}|${slackText(text).replaceAll('|', '¦')}>`;
}
