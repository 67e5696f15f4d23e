/** An environment file, with its mode and its folder's as `stat` returns them. */
interface EnvFileFacts {
  file: string
  mode: number
  folderMode: number
  production: boolean
}

const READ_BY_OTHERS = 0o044
const WRITTEN_BY_OTHERS = 0o022

/**
 * Returns whether the environment file is read, and a warning for the operator. It may hold secrets: in production it
 * is not read from a folder that others may write.
 */
export function envFileRule({ file, mode, folderMode, production }: EnvFileFacts): { read: boolean; warning?: string } {
  if (production && (folderMode & WRITTEN_BY_OTHERS) !== 0) {
    return { read: false, warning: `${file} is not read: others may write its directory` }
  }
  if ((mode & READ_BY_OTHERS) !== 0) return { read: true, warning: `others may read ${file}: chmod 600 .env` }
  return { read: true }
}
