import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../local/servers/ports.ts'
import { testEnvironment } from '../support/app.ts'
import { cloneDatabase } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'

const WITHIN_MS = 30_000

describe('npm run api', () => {
  let port: number
  let npm: ChildProcess
  let said = ''
  let sender: Socket | undefined
  beforeAll(async () => {
    port = await freePort()
    const { PATH, HOME } = process.env
    npm = spawn('npm', ['run', 'api'], {
      cwd: join(import.meta.dirname, '../..'),
      env: { PATH, HOME, ...(await testEnvironment(await cloneDatabase())), PORT: String(port), LOG_LEVEL: 'info' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    npm.stdout?.on('data', (chunk: Buffer) => {
      said += chunk
    })
    for (let tries = 0; tries < 600 && !(await health()); tries++) await pause(50)
  }, 60_000)
  afterAll(() => {
    sender?.destroy()
    npm.kill('SIGKILL')
  })

  const health = () =>
    fetch(`http://127.0.0.1:${port}/health`).then(
      (response) => response.ok,
      () => false,
    )
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

  test('ends on SIGTERM with its port free and a word in the log, though a client holds half a body back', async () => {
    expect(await health()).toBe(true)
    sender = connect(port, '127.0.0.1')
    sender.on('error', () => {})
    sender.write('POST /auth HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n')
    sender.write('content-length: 100\r\n\r\n{"email":')
    await pause(200)
    const asked = performance.now()
    const ended = once(npm, 'exit')
    npm.kill('SIGTERM')
    await ended
    await eventually(health, (answers) => !answers)
    expect(performance.now() - asked).toBeLessThan(WITHIN_MS)
    await expect(fetch(`http://127.0.0.1:${port}/health`)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } })
    const words = said.match(/"msg":"stop\w+"/g)
    expect(words).toEqual(['"msg":"stopping"', '"msg":"stopped"'])
  })
})
