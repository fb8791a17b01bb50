import { readFile } from 'node:fs/promises';
import type { Download, Page } from 'playwright-core';

/** A file to upload. */
export interface LocalFile {
  readonly name: string;
  readonly buffer: Buffer;
  readonly mimeType: string;
}

export function localFile(name: string, content: string | Uint8Array | readonly unknown[]): LocalFile {
  const bytes =
    typeof content === 'string' || content instanceof Uint8Array ? content : JSON.stringify(content);
  return { name, buffer: Buffer.from(bytes), mimeType: 'application/json' };
}

/** The example findings as a file with this name. */
export async function exampleFile(name = 'findings.ocsf.json'): Promise<LocalFile> {
  return localFile(name, await readFile(new URL('../../../../examples/findings.ocsf.json', import.meta.url)));
}

/** Selects files in the file picker that the "Upload files" button opens. */
export async function pickFiles(page: Page, ...files: readonly LocalFile[]): Promise<void> {
  const opened = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Upload files' }).first().click();
  await (await opened).setFiles([...files]);
}

/** Prepares a drag operation with files. `drag` dispatches a drag event on the main element. */
export async function dragFiles(page: Page, ...files: readonly LocalFile[]) {
  const transfer = await page.evaluateHandle(
    (contents) => {
      const data = new DataTransfer();
      for (const { name, base64 } of contents) {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        data.items.add(new File([bytes], name));
      }
      return data;
    },
    files.map(({ name, buffer }) => ({ name, base64: buffer.toString('base64') })),
  );
  return {
    drag: (event: 'dragover' | 'drop' | 'dragleave') =>
      page.dispatchEvent('main', event, { dataTransfer: transfer }),
  };
}

/** Limits the page's upload rate. `null` removes the limit. */
export async function throttleUploads(page: Page, bytesPerSecond: number | null): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: bytesPerSecond ?? -1,
  });
}

/** Reads the content of a downloaded file. */
export async function readDownload(download: Download): Promise<string> {
  return Buffer.concat(await (await download.createReadStream()).toArray()).toString();
}
