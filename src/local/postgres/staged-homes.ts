import { createHash, randomBytes } from 'node:crypto'
import { chmod, cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { lockDirectory } from './directory-lock.ts'
import { locationFile, locationOf, writeLocation } from './location.ts'
import { giveTreeTo } from './ownership.ts'
import type { RunAs } from './run-as.ts'
import { stagingDirectory } from './staging.ts'

/** Whose cluster a staged home keeps, and whether it outlives its data directory. */
interface HomeOwner {
  dataDir: string
  durable: boolean
}

/**
 * Makes a home that PostgreSQL's user can reach for a data directory that it cannot, lets `fill` put an existing
 * cluster into it, and only then names it in the data directory: a copy cut short is never taken for the cluster.
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

/** Copies a cluster that is not running and gives the copy to that user. */
export async function copyCluster(from: string, to: string, runAs: RunAs): Promise<void> {
  await cp(from, to, { recursive: true, verbatimSymlinks: true })
  await giveTreeTo(runAs, to)
}

/**
 * Writes down, in a staged home, which data directory it serves now. What was durable once stays so. The caller holds
 * the home's lock.
 */
export async function noteOwner(home: string, owner: HomeOwner): Promise<void> {
  const durable = owner.durable || ((await ownerOf(home))?.durable ?? false)
  await writeFile(join(home, 'belongs-to.json'), `${JSON.stringify({ ...owner, durable })}\n`)
}

/**
 * Refuses a data directory that was copied with the name of its cluster's home in it: two would work on one cluster.
 * One that was only moved, or is reached by another path, is no copy. @throws Error of one line that names both.
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
 * Deletes the staged homes that nobody comes back to: their data directory is gone or names another home. Durable ones
 * stay, since a data directory that is not where it was may only have been moved.
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

/** A home that another start uses, or is deleting too, is none of ours: no start fails over it. */
async function deleteUnlessInUse(home: string): Promise<void> {
  try {
    const lock = lockDirectory(home)
    await rm(home, { recursive: true, force: true })
    lock.release()
  } catch {}
}
