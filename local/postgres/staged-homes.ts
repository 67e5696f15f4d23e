import { createHash, randomBytes } from 'node:crypto'
import { chmod, cp, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { lockDirectory } from './directory-lock.ts'
import { giveTreeTo } from './ownership.ts'
import type { RunAs } from './run-as.ts'
import { stagingDirectory } from './staging.ts'

/** The data directory of a staged home. A durable home is kept when its data directory is missing. */
interface HomeOwner {
  dataDir: string
  durable: boolean
}

/**
 * Creates a home that PostgreSQL's user can reach, and calls `fill` to copy an existing cluster into it. Stores its
 * path in the data directory last, so that an incomplete copy is never used. Returns the path.
 */
export async function createStagedHome(
  dataDir: string,
  runAs: RunAs,
  fill: (home: string) => Promise<void>,
): Promise<string> {
  const homes = join(await stagingDirectory(runAs), 'clusters')
  const key = createHash('sha256').update(dataDir).digest('hex').slice(0, 16)
  const home = join(homes, `${key}-${randomBytes(4).toString('hex')}`)
  await mkdir(home, { recursive: true })
  await chmod(homes, 0o755)
  await chmod(home, 0o755)
  await sweepAbandoned(homes)
  await fill(home)
  await writeLocation(dataDir, home)
  return home
}

/** Copies a stopped cluster and gives the copy to the user. */
export async function copyCluster(from: string, to: string, runAs: RunAs): Promise<void> {
  await cp(from, to, { recursive: true, verbatimSymlinks: true })
  await giveTreeTo(runAs, to)
}

/**
 * Stores the path of the data directory in its staged home. A home that was durable stays durable. The caller holds the
 * home's lock.
 */
export async function recordOwner(home: string, owner: HomeOwner): Promise<void> {
  const durable = owner.durable || ((await ownerOf(home))?.durable ?? false)
  await writeFile(join(home, 'belongs-to.json'), `${JSON.stringify({ ...owner, durable })}\n`)
}

/**
 * Refuses a data directory that was copied together with its location file: two servers would use one cluster. A moved
 * directory, or another path to the same one, is accepted.
 * @throws Error of one line that names both directories.
 */
export async function refuseCopy(home: string, dataDir: string): Promise<void> {
  const owner = await ownerOf(home)
  if (owner === undefined || (await locationOf(owner.dataDir)) !== home) return
  const [mine, theirs] = await Promise.all([stat(dataDir), stat(owner.dataDir)])
  if (mine.ino === theirs.ino && mine.dev === theirs.dev) return
  throw new Error(
    `The data directory ${dataDir} is a copy of ${owner.dataDir}, whose database is kept in ${home}: start on ` +
      `${owner.dataDir}, or copy ${join(home, 'postgres')} to ${join(dataDir, 'postgres')} while nothing runs and ` +
      `delete ${locationFile(dataDir)}.`,
  )
}

/**
 * Deletes staged homes whose data directory is missing or names another home. Durable homes stay, because a missing
 * data directory may only have been moved.
 */
async function sweepAbandoned(homes: string): Promise<void> {
  for (const name of await readdir(homes)) {
    const home = join(homes, name)
    const owner = await ownerOf(home)
    if (owner === undefined || owner.durable || (await locationOf(owner.dataDir)) === home) continue
    await deleteUnlessInUse(home)
  }
}

async function ownerOf(home: string): Promise<HomeOwner | undefined> {
  try {
    return JSON.parse(await readFile(join(home, 'belongs-to.json'), 'utf8'))
  } catch {
    return undefined
  }
}

/** Deletes a home; does nothing when another process uses or deletes it. */
async function deleteUnlessInUse(home: string): Promise<void> {
  try {
    const lock = lockDirectory(home)
    await rm(home, { recursive: true, force: true })
    lock.release()
  } catch {}
}

/**
 * Returns the path of the text file that names the cluster's directory. It exists only when that directory is outside
 * of the data directory.
 */
export function locationFile(dataDir: string): string {
  return join(dataDir, 'postgres-location.txt')
}

/** Returns the cluster's directory; undefined when it is the data directory itself. */
export async function locationOf(dataDir: string): Promise<string | undefined> {
  const text = await readFile(locationFile(dataDir), 'utf8').catch(() => '')
  return text.trim() || undefined
}

/** Stores `home` as the cluster's directory. A rename makes the write atomic. */
async function writeLocation(dataDir: string, home: string): Promise<void> {
  const file = locationFile(dataDir)
  await writeFile(`${file}.new`, `${home}\n`)
  await rename(`${file}.new`, file)
}
