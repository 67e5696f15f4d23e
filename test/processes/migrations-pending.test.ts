import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../local/servers/ports.ts'
import { migrate } from '../../src/shared/composition/migrate.ts'
import { readConfig } from '../../src/shared/platform/config/config.ts'
import { testEnvironment } from '../support/app.ts'
import { emptyDatabase } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { asRole } from '../support/global-setup.ts'
import { startApiProcess, startWorkerProcess, type TestProcess } from '../support/processes.ts'

describe('processes of a release whose migrations are pending', () => {
  const running: Promise<TestProcess>[] = []
  const heard: Promise<string>[] = []
  let ownerUrl: string
  let address: string
  beforeAll(async () => {
    ownerUrl = await emptyDatabase()
    const config = readConfig(await testEnvironment(asRole(ownerUrl, 'service')), { HOST: '127.0.0.1' })
    const port = await freePort()
    address = `http://127.0.0.1:${port}`
    const env = { LOG_LEVEL: 'warn' }
    const [fromApi, fromWorker] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()]
    heard.push(fromApi.promise, fromWorker.promise)
    running.push(startApiProcess(config, { ...env, PORT: String(port) }, fromApi.resolve))
    running.push(startWorkerProcess(config, env, [], fromWorker.resolve))
    for (const started of running) started.catch(() => undefined)
  })
  afterAll(async () => {
    for (const { kill } of await Promise.all(running)) await kill()
  })

  const status = (path: string) =>
    fetch(`${address}${path}`).then(
      (response) => response.status,
      () => null,
    )

  test('say so in one line, wait alive and not ready, and work as soon as somebody migrates', async () => {
    for (const said of await Promise.all(heard)) {
      const messages = said
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).msg)
      expect(messages).toEqual([
        expect.stringMatching(
          /^the schema is not that of this release \(\d+ migrations pending\): waiting for flightline migrate$/,
        ),
      ])
    }
    await eventually(
      () => status('/health/live'),
      (answer) => answer === 200,
    )
    expect(await status('/health/ready')).toBe(503)
    expect(await status('/organizations')).toBe(503)
    await migrate({ ownerUrl, serviceUrl: asRole(ownerUrl, 'service'), print: () => undefined })
    await Promise.all(running)
    expect(await status('/health/ready')).toBe(200)
  })
})
