export interface Demo {
  readonly url: string;
  readonly apiKey: string;
  readonly output: string;
}

/** What to try next, to be pasted into a second terminal. */
export function whereToLook({ url, apiKey, output }: Demo): string {
  return `
What happened: a service was started with a database of its own, an organization was scanned, its findings were
pushed, and the service has taken every record.

Where to look
  The report of the scan        ${output}/demo.html
  What the service took         ${output}/demo.ocsf.json
  The console                   ${url}/
    sign in with the key        ${apiKey}

In a second terminal:

  export SCANNER_CLOUD_API_KEY='${apiKey}' SCANNER_CLOUD_API_BASE_URL='${url}'

  # The jobs, and their counts
  curl -sS -H "Authorization: Api-Key $SCANNER_CLOUD_API_KEY" $SCANNER_CLOUD_API_BASE_URL/api/v1/ingestions

  # A file of another scanner, with the result of its job
  npx scanner push --wait examples/findings.ocsf.json

  # One whose records are bad, and what was wrong with each
  echo '[{"class_uid": 2004}, {"class_uid": 2003}]' | npx scanner push --wait -

It serves until Ctrl-C, and then removes all of this. To keep what you push: npm start
`;
}
