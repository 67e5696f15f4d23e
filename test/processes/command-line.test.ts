import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { nodeSettings } from '../../bin/node-settings.mjs'
import { bin, flightline, root } from '../support/command-line.ts'

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

describe('the compiled code of the service', () => {
  const compiled = (at: string) => readdir(at, { recursive: true }).then((names) => names.length)

  test('is kept in DATA_DIR, when that exists', async () => {
    const env = { DATA_DIR: join(folder, 'data'), NODE_COMPILE_CACHE: '' }
    await flightline(['keys', 'new'], { env })
    await expect(compiled(env.DATA_DIR)).rejects.toThrow('ENOENT')
    await mkdir(env.DATA_DIR)
    await flightline(['keys', 'new'], { env })
    expect(await compiled(join(env.DATA_DIR, 'compiled'))).toBeGreaterThan(10)
  })

  test('is made when the image is built', async () => {
    const NODE_COMPILE_CACHE = join(folder, 'image')
    const made = /^RUN \["node", "-e", (".+")\]$/m.exec(await readFile(join(root, 'Dockerfile'), 'utf8'))
    const node = ['-e', JSON.parse(made?.[1] ?? '""')]
    expect(await flightline([], { node, env: { NODE_COMPILE_CACHE } })).toEqual({ code: 0, out: '', err: '' })
    expect(await compiled(NODE_COMPILE_CACHE)).toBeGreaterThan(1_000)
  })
})

describe('the memory of a process', () => {
  const settings = (bytes: number, more = {}) => nodeSettings({ bytes: bytes * 1024 ** 2, env: {}, ...more }).flags

  test('is set by the memory of the container and the processes that share it', () => {
    expect(settings(256)).toEqual(['--max-semi-space-size=4', '--max-old-space-size=128'])
    expect(settings(1_024)).toEqual(['--max-semi-space-size=8', '--max-old-space-size=512'])
    expect(settings(1_024, { processes: 3 })).toEqual(['--max-semi-space-size=4', '--max-old-space-size=170'])
    expect(settings(65_536)).toEqual(['--max-semi-space-size=8', '--max-old-space-size=4096'])
  })

  test('is what the operator says, when the operator says it', () => {
    const env = { NODE_OPTIONS: '--max-old-space-size=160 --max_semi_space_size=2', MALLOC_ARENA_MAX: '4' }
    expect(nodeSettings({ env })).toEqual({ flags: [], env: { MALLOC_ARENA_MAX: '4' } })
    expect(settings(256, { given: ['--max-old-space-size=99'] })).toEqual(['--max-semi-space-size=4'])
  })

  test('replaces the process, under the same id', async () => {
    // The preloaded module prints a line for each image of the process. The port ends the command.
    const print =
      "process.stdout.write([process.pid, process.env.MALLOC_ARENA_MAX, ...process.execArgv.slice(2)].join(' ') + '\\n')"
    const node = ['--import', `data:text/javascript,${encodeURIComponent(print)}`, bin]
    const lines = (await flightline(['api'], { node, env: { PORT: 'none' } })).out.trim().split('\n')
    const [first, second] = lines.map((line) => line.split(' '))
    expect(lines).toHaveLength(2)
    expect(second).toEqual([first![0], '2', expect.stringMatching(/^--max-semi/), expect.stringMatching(/^--max-old/)])
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
    const names = ['auth-keys.json', 'record-keys.json', 'ops-password', 'stripe-secret-key', 'stripe-webhook-secret']
    expect(first.out).toBe(names.map((name) => `flightline: made ${join(into, name)}\n`).join(''))
    expect((await readdir(into)).toSorted()).toEqual(names.toSorted())
    for (const name of names) expect((await stat(join(into, name))).mode & 0o777).toBe(0o600)
    const before = await readFile(join(into, 'auth-keys.json'), 'utf8')
    expect(await flightline(['keys', 'new', '--into', into])).toEqual({ code: 0, out: '', err: '' })
    const rotated = await flightline(['keys', 'rotate', '--file', join(into, 'auth-keys.json')])
    expect(rotated.out).toMatch(/auth-keys\.json has 2 keys, the new one first/)
    const after = JSON.parse(await readFile(join(into, 'auth-keys.json'), 'utf8')).keys
    expect(after[1]).toEqual(JSON.parse(before).keys[0])
  })
})
