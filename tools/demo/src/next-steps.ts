export interface Demo {
  readonly url: string;
  readonly apiKey: string;
  /** Folder that contains the scan reports. */
  readonly output: string;
}

/** Returns a summary and commands to paste into a second terminal. */
export function nextSteps({ url, apiKey, output }: Demo): string {
  return `
The demo started Sluice with an embedded PostgreSQL database, scanned a sample organization, and uploaded the findings.

Next steps
  View the scan report          ${output}/demo.html
  View the uploaded findings    ${output}/demo.ocsf.json
  Open the console              ${url}/
    API key for signing in      ${apiKey}

In a second terminal:

  export SCANNER_CLOUD_API_KEY='${apiKey}' SCANNER_CLOUD_API_BASE_URL='${url}'

  # List ingestion jobs
  curl -sS -H "Authorization: Api-Key $SCANNER_CLOUD_API_KEY" $SCANNER_CLOUD_API_BASE_URL/api/v1/ingestions

  # Upload findings from another scanner and wait for the result
  npx scanner push --wait examples/findings.ocsf.json

  # Upload invalid records and list their errors
  echo '[{"class_uid": 2004}, {"class_uid": 2003}]' | npx scanner push --wait -

Press Ctrl-C to stop. This deletes all demo data. To keep your data, run npm start instead.
`;
}
