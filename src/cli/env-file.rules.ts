/** An environment file, with the modes of the file and of its folder as `stat` returns them. */
interface EnvFileFacts {
  file: string
  mode: number
  folderMode: number
  production: boolean
}

const READ_BY_OTHERS = 0o044
const WRITTEN_BY_OTHERS = 0o022

/**
 * Returns whether to read the environment file, and a warning for the operator. The file may hold secrets. In
 * production it is not read when others may write its folder. When others may read the file, it is read with a warning.
 */
export function envFileRule({ file, mode, folderMode, production }: EnvFileFacts): { read: boolean; warning?: string } {
  if (production && (folderMode & WRITTEN_BY_OTHERS) !== 0) {
    return { read: false, warning: `${file} is not read: others may write its directory` }
  }
  if ((mode & READ_BY_OTHERS) !== 0) return { read: true, warning: `others may read ${file}: chmod 600 .env` }
  return { read: true }
}
