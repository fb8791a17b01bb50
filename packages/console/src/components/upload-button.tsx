import { useUploads } from '../lib/uploads-context.ts';
import { Button, type ButtonVariant } from './button.tsx';
import { Upload } from './icons/lucide-icons.ts';

/** Opens the file picker and uploads the selected files. Works on every page. */
export function UploadButton({ variant = 'primary' }: { readonly variant?: ButtonVariant }) {
  const { pick } = useUploads();
  return (
    <Button variant={variant} icon={<Upload size={16} aria-hidden="true" />} onClick={pick}>
      Upload files
    </Button>
  );
}
