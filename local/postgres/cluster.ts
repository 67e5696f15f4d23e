import { randomBytes } from 'node:crypto'
import { access, chmod, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Home } from './home.ts'
import { giveTo, giveTreeTo } from './ownership.ts'
import { isRoot, run } from './run-as.ts'

/** With C.UTF-8, pg_trgm recognizes accented letters; C is the fallback when libc lacks that locale. */
const CHARACTER_TYPES = ['C.UTF-8', 'C']

/**
 * Creates the home's cluster when there is none: with UTF-8, code point order, and this password (scram) for the
 * superuser `postgres`. It is created under a temporary name and then renamed, so that an interrupted attempt leaves
 * only files that the next start removes. An existing cluster that root owns is given to PostgreSQL's user.
 */
export async function ensureCluster(home: Home, program: string, password: string, durable: boolean): Promise<void> {
  await removeUnfinished(home)
  if (await exists(join(home.cluster, 'PG_VERSION'))) return adopt(home)
  const unfinished = `${home.cluster}.new-${randomBytes(6).toString('hex')}`
  const passwordFile = `${unfinished}.password`
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 })
  await giveTo(home.runAs, passwordFile)
  await mkdir(unfinished, { mode: 0o700 })
  await giveTo(home.runAs, unfinished)
  await initdb(home, program, unfinished, passwordFile, durable)
  await rename(unfinished, home.cluster)
  await rm(passwordFile, { force: true })
}

/**
 * Returns the password of the data directory's cluster. It is created at the first start, in a file that only its owner
 * can read.
 * @throws Error when the cluster exists and the file is missing
 */
export async function clusterPassword(dataDir: string, cluster: string): Promise<string> {
  const file = join(dataDir, 'postgres-password')
  const kept = await readFile(file, 'utf8').catch(() => '')
  if (kept.trim() !== '') return kept.trim()
  if (await exists(join(cluster, 'PG_VERSION'))) throw new Error(`${file} is missing: the database cannot be opened.`)
  const password = randomBytes(24).toString('base64url')
  await writeFile(file, `${password}\n`, { mode: 0o600 })
  return password
}

async function initdb(home: Home, program: string, into: string, passwordFile: string, durable: boolean) {
  let output = ''
  for (const characterType of CHARACTER_TYPES) {
    const flags = ['-D', into, '-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`, '-E', 'UTF8']
    flags.push('--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C', `--lc-ctype=${characterType}`)
    flags.push('--no-instructions', ...(durable ? [] : ['--no-sync']))
    const attempt = await run(join(program, 'bin', 'initdb'), flags, home.runAs)
    if (attempt.ok) return
    output = attempt.output
  }
  throw new Error(`PostgreSQL could not make its cluster in ${home.directory}:\n${output}`)
}

async function removeUnfinished(home: Home): Promise<void> {
  for (const name of await readdir(home.directory)) {
    if (name.startsWith('postgres.new-')) await rm(join(home.directory, name), { recursive: true, force: true })
  }
}

async function adopt(home: Home): Promise<void> {
  if (!isRoot() || (await stat(home.cluster)).uid !== 0) return
  await giveTreeTo(home.runAs, home.cluster)
  await chmod(home.cluster, 0o700)
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
