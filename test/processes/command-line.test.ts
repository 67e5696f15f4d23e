import { cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bin, flightline } from '../support/command-line.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'flightline-command-line-'))
})
afterAll(() => rm(folder, { recursive: true }))

describe('flightline', () => {
  test('names every command with --help, and its version and commit with --version', async () => {
    const [help, version] = await Promise.all([flightline(['--help']), flightline(['--version'])])
    for (const name of ['start', 'demo', 'api', 'worker', 'migrate', 'keys', 'openapi']) {
      expect(help.out).toMatch(new RegExp(`^  ${name}\\b`, 'm'))
    }
    expect(version).toMatchObject({ code: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+ \([0-9a-f]{7,}\)\n$/) })
  })

  test('says in a line what it does not know', async () => {
    expect(await flightline(['fly'])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^flightline: unknown command 'fly'\n/),
    })
  })

  test('says in one line which Node.js it takes where that is too old and none lies beside it', async () => {
    await cp(bin, join(folder, 'bin/flightline.mjs'))
    const older = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.4' } })"
    const node = ['--import', `data:text/javascript,${encodeURIComponent(older)}`, join(folder, 'bin/flightline.mjs')]
    expect(await flightline(['api'], { node })).toEqual({
      code: 1,
      out: '',
      err: 'flightline: this is Node.js 18.20.4; it takes 22.18 or later. npm ci installs one beside the service, without --omit=dev.\n',
    })
  })

  test('reads the .env of its directory, and what is set already wins', async () => {
    await writeFile(join(folder, '.env'), 'LOG_LEVEL=loud\nPORT=http\n', { mode: 0o600 })
    const { err } = await flightline(['api'], { cwd: folder, env: { PORT: '3000' } })
    expect(err).toMatch(/^flightline: LOG_LEVEL: .*\n$/)
    await rm(join(folder, '.env'))
  })
})

describe('flightline keys', () => {
  test('prints a new set, and one with a new key in front of the old ones', async () => {
    const made = await flightline(['keys', 'new'])
    const rotated = await flightline(['keys', 'rotate'], { env: { AUTH_KEYS: made.out.trim() } })
    const [first, second] = [made, rotated].map(({ out }) =>
      JSON.parse(out).keys.map(({ kid }: { kid: string }) => kid),
    )
    expect(second).toEqual([expect.any(String), ...first])
    expect(await flightline(['keys', 'rotate'], { env: { AUTH_KEYS: '{"keys":[{"d":"hush"}]}' } })).toEqual({
      code: 1,
      out: '',
      err: 'flightline: this is not a set of our keys\n',
    })
  })

  test('makes what a first start needs in a folder, for its owner alone, once', async () => {
    const into = join(folder, 'keys')
    const first = await flightline(['keys', 'new', '--into', into])
    const names = ['auth-keys.json', 'ops-password', 'stripe-secret-key', 'stripe-webhook-secret']
    expect(first.out).toBe(names.map((name) => `flightline: made ${join(into, name)}\n`).join(''))
    expect((await readdir(into)).toSorted()).toEqual(names)
    for (const name of names) expect((await stat(join(into, name))).mode & 0o777).toBe(0o600)
    const before = await readFile(join(into, 'auth-keys.json'), 'utf8')
    expect(await flightline(['keys', 'new', '--into', into])).toEqual({ code: 0, out: '', err: '' })
    const rotated = await flightline(['keys', 'rotate', '--file', join(into, 'auth-keys.json')])
    expect(rotated.out).toMatch(/auth-keys\.json has 2 keys, the new one first/)
    const after = JSON.parse(await readFile(join(into, 'auth-keys.json'), 'utf8')).keys
    expect(after[1]).toEqual(JSON.parse(before).keys[0])
  })
})
