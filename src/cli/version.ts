import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { version } from '../shared/platform/config/version.ts'

const root = join(import.meta.dirname, '../..')
/** The build of the image writes this file. */
const commitFile = join(root, '.commit')

/** Returns the version of this release and its commit, when that is known: `0.1.0 (58bfe9e)`. */
export function versionText(): string {
  const commit = existsSync(commitFile) ? readFileSync(commitFile, 'utf8').trim() : commitOfCheckout()
  return commit ? `${version} (${commit})` : version
}

function commitOfCheckout(): string | null {
  if (!existsSync(join(root, '.git'))) return null
  try {
    const ask = ['rev-parse', '--short', 'HEAD']
    return execFileSync('git', ask, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return null
  }
}
