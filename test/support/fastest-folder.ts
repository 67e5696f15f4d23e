import { statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'

/** About twice what the databases of all test files take together. */
const ALL_DATABASES_BYTES = 8 * 1024 ** 3

/**
 * Returns the folder for the clusters of tests: in memory where there is room for all databases of a run, since a clone
 * takes a twentieth of the time that it takes on a disk; otherwise the folder of temporary files.
 */
export async function fastestFolder(): Promise<string> {
  const memory = await statfs('/dev/shm').catch(() => null)
  return memory && memory.bavail * memory.bsize > ALL_DATABASES_BYTES ? '/dev/shm' : tmpdir()
}
