import { existsSync } from 'node:fs'
import { chmod, cp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { cleanups, directory, query, start } from './support/postgres-starts.ts'

describe.runIf(process.getuid?.() === 0)('as root, in a folder that no other user can enter', () => {
  async function locationOf(dataDir: string): Promise<string> {
    const location = (await readFile(join(dataDir, 'postgres-location.txt'), 'utf8')).trim()
    // Last of all, when no server works in it any more.
    cleanups.unshift(() => rm(location, { recursive: true, force: true }))
    return location
  }

  test('the cluster is kept elsewhere, the folder says where, and the next start finds it', async () => {
    const dataDir = join(await directory(0o700), 'data')
    const first = await start(dataDir)
    const location = await locationOf(dataDir)
    expect(await query(first, 'show data_directory')).toEqual([[join(location, 'postgres')]])
    await query(first, 'create table kept as select 7 as answer')
    await first.stop()
    expect(await query(await start(dataDir), 'select answer from kept')).toEqual([[7]])
  })

  test('a folder closed after its first start keeps its data', async () => {
    const folder = await directory()
    const dataDir = join(folder, 'data')
    const first = await start(dataDir)
    await query(first, 'create table kept as select 7 as answer')
    await first.stop()
    await chmod(folder, 0o700)
    expect(await query(await start(dataDir), 'select answer from kept')).toEqual([[7]])
    await locationOf(dataDir)
  })

  test('a cluster whose folder is gone is deleted when the next is made, unless it is durable', async () => {
    const locations: string[] = []
    for (const durable of [true, false]) {
      const folder = await directory(0o700)
      const server = await start(folder, { durable })
      locations.push(await locationOf(folder))
      await server.stop()
      await rm(folder, { recursive: true })
    }
    const next = await directory(0o700)
    await start(next)
    await locationOf(next)
    expect(locations.map((location) => existsSync(location))).toEqual([true, false])
  })

  test('a durable cluster that is gone is not replaced by an empty one', async () => {
    const dataDir = await directory(0o700)
    await writeFile(join(dataDir, 'postgres-location.txt'), '/nonexistent/cluster\n')
    await expect(start(dataDir, { durable: true })).rejects.toThrow('/nonexistent/cluster, which is gone')
  })

  test('a copy of the folder is refused in a line that names both, and a folder that was moved is not', async () => {
    const folder = await directory(0o700)
    const [original, copy, moved] = ['original', 'copy', 'moved'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ]
    const first = await start(original)
    await locationOf(original)
    await query(first, 'create table kept as select 7 as answer')
    await cp(original, copy, { recursive: true })
    const refusal = await start(copy).catch((error: Error) => error.message)
    expect(refusal).toMatch(new RegExp(`^The data directory ${copy} is a copy of ${original}, .*$`))
    await first.stop()
    await expect(start(copy)).rejects.toThrow(original)
    await rename(original, moved)
    expect(await query(await start(moved), 'select answer from kept')).toEqual([[7]])
  })
})
