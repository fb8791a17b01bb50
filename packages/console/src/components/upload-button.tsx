import { useUploads } from '../lib/uploads-context.ts';
import { Button, type ButtonLook } from './button.tsx';
import { Upload } from './icons/lucide-icons.ts';

/** Lets somebody choose files to upload, on whatever page. */
export function UploadButton({ look = 'primary' }: { readonly look?: ButtonLook }) {
  const { pick } = useUploads();
  return (
    <Button look={look} icon={<Upload size={16} aria-hidden="true" />} onClick={pick}>
      Upload files
    </Button>
  );
}
