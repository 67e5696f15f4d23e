import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const collector = join(import.meta.dirname, '../../../src/shared/composition/collect-at-rest.ts')

/** Returns how many bytes of 200 MB of garbage a process holds half a second later, with the collector and without. */
function heldAfter(collects: boolean): number {
  const program = `
    const { collectAtRest } = await import(${JSON.stringify(collector)})
    let garbage = Array.from({ length: 400 }, () => Array.from({ length: 65_536 }, Math.random))
    const before = process.memoryUsage.rss()
    garbage = null
    if (${collects}) collectAtRest(50)
    setTimeout(() => console.log(before - process.memoryUsage.rss()), 2_000)`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
  expect(stderr).toBe('')
  return Number(stdout)
}

test('a process that rests gives back the memory of what it no longer needs', () => {
  expect(heldAfter(true)).toBeGreaterThan(150e6)
})
