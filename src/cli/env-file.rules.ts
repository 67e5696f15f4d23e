/** What is known of an environment file: its mode and its folder's as `stat` gives them. */
interface EnvFileFacts {
  file: string
  mode: number
  folderMode: number
  production: boolean
}

const READ_BY_OTHERS = 0o044
const WRITTEN_BY_OTHERS = 0o022

/** Returns whether an environment file is read, and the line to say about it; it may hold secrets. */
export function envFileRule({ file, mode, folderMode, production }: EnvFileFacts): { read: boolean; warning?: string } {
  if (production && (folderMode & WRITTEN_BY_OTHERS) !== 0) {
    return { read: false, warning: `${file} is not read: others may write its directory` }
  }
  if ((mode & READ_BY_OTHERS) !== 0) return { read: true, warning: `others may read ${file}: chmod 600 .env` }
  return { read: true }
}
