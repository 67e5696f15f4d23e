import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { canKeepFilesIn } from './ownership.ts'
import { isRoot, type RunAs } from './run-as.ts'
import { copyCluster, createStagedHome, locationFile, locationOf } from './staged-homes.ts'
import { userFor } from './unprivileged-user.ts'

/** The directory of a cluster and the user who runs it. */
export interface Home {
  directory: string
  cluster: string
  runAs: RunAs
}

/**
 * Returns the home of the data directory's cluster: the data directory itself or, when PostgreSQL's user cannot reach
 * it, a staged directory. A text file in the data directory names the staged directory. An existing cluster that the
 * user cannot reach is moved to a staged directory. The caller holds the directory's lock.
 * @throws Error when a durable cluster was stored elsewhere and does not exist any more.
 */
export async function findHome(dataDir: string, durable: boolean): Promise<Home> {
  const elsewhere = await keptElsewhere(dataDir, durable)
  const directory = elsewhere ?? dataDir
  const runAs = await userFor(clusterIn(directory))
  if (elsewhere !== undefined || !isRoot() || (await canKeepFilesIn(dataDir, runAs))) {
    return { directory, cluster: clusterIn(directory), runAs }
  }
  const staged = await moveOut(dataDir, runAs)
  return { directory: staged, cluster: clusterIn(staged), runAs }
}

function clusterIn(directory: string): string {
  return join(directory, 'postgres')
}

async function keptElsewhere(dataDir: string, durable: boolean): Promise<string | undefined> {
  const location = await locationOf(dataDir)
  if (location === undefined) return undefined
  if (await isDirectory(location)) return location
  if (!durable) return undefined
  const file = locationFile(dataDir)
  throw new Error(`The database was kept in ${location}, which is gone. Delete ${file} to begin with an empty one.`)
}

async function moveOut(dataDir: string, runAs: RunAs): Promise<string> {
  const here = clusterIn(dataDir)
  const moves = await isDirectory(here)
  const staged = await createStagedHome(dataDir, runAs, async (home) => {
    if (moves) await copyCluster(here, clusterIn(home), runAs)
  })
  if (moves) await rm(here, { recursive: true, force: true })
  return staged
}

function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}
