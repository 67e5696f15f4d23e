import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { landedOn } from '../../local/schema/landed-migrations.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'flightline-landed-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

function git(...args: string[]) {
  const who = ['-c', 'user.name=Nobody', '-c', 'user.email=nobody@example.com', '-c', 'commit.gpgsign=false']
  execFileSync('git', [...who, ...args], { cwd: folder, stdio: 'ignore' })
}

async function commit(title: string, checksums: object) {
  await writeFile(join(folder, 'checksums.json'), JSON.stringify(checksums))
  git('add', '.')
  git('commit', '-m', title)
}

test('the checksums that stay are those of the main branch, not those of a draft on another one', async () => {
  git('init', '--initial-branch', 'main')
  await commit('chore(release): 0.1.0', { landed: 'a' })
  git('switch', '-c', 'topic')
  await commit('feat: a draft', { landed: 'a', draft: 'b' })
  expect(landedOn(folder)).toEqual({ landed: 'a' })
  git('switch', 'main')
  expect(landedOn(folder)).toEqual({ landed: 'a' })
})

test('before the first release all are drafts', async () => {
  git('init', '--initial-branch', 'main')
  await commit('feat: a baseline', { baseline: 'a' })
  expect(landedOn(folder)).toEqual({})
})

test('without a repository there are none', () => {
  expect(landedOn(folder)).toBeNull()
})
