import { existsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { loadEnvFile } from 'node:process'
import { envFileRule } from './env-file.rules.ts'

/**
 * Reads `.env` of the working directory when it exists. A variable that is already set keeps its value. Writes a
 * warning to standard error when others may read the file. In production, when others may write its folder, it writes a
 * warning and does not read the file.
 * @throws Error when it is not an environment file
 */
export function readEnvFile(): void {
  const file = resolve('.env')
  if (!existsSync(file)) return
  const production = process.env.NODE_ENV === 'production'
  const rule = envFileRule({ file, mode: statSync(file).mode, folderMode: statSync(dirname(file)).mode, production })
  if (rule.warning) process.stderr.write(`flightline: ${rule.warning}\n`)
  if (!rule.read) return
  try {
    loadEnvFile(file)
  } catch (error) {
    throw new Error(`${file} cannot be read: ${(error as Error).message}`)
  }
}
