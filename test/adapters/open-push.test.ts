import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPush } from '../../src/shared/platform/adapters/push/open-push.ts'
import { ConfigError, readConfig } from '../../src/shared/platform/config/config.ts'
import { type FcmSimulator, startFcmSimulator } from '../support/fcm-simulator.ts'

let fcm: FcmSimulator
let directory: string
beforeAll(async () => {
  fcm = await startFcmSimulator()
  directory = await mkdtemp(join(tmpdir(), 'flightline-push-'))
})
afterAll(async () => {
  await fcm.close()
  await rm(directory, { recursive: true })
})

/** Pushes once with what is configured. Answers what came of it and the lines of the log. */
async function pushOnce(account: string | undefined) {
  const lines: string[] = []
  const env = { FIREBASE_SERVICE_ACCOUNT: account, FIREBASE_API_BASE: fcm.url }
  const push = await openPush(readConfig(env, { HOST: '127.0.0.1' }), { info: (_, message) => lines.push(message) })
  const outcomes = await push.multicast({ title: 'Hello', body: 'There', data: {}, key: 'k' }, ['phone'])
  await push.close()
  return { outcomes, lines }
}

describe('the service account', () => {
  test('is JSON, or the path of a file that holds it', async () => {
    const path = join(directory, 'account.json')
    await writeFile(path, JSON.stringify(fcm.serviceAccount))
    for (const account of [JSON.stringify(fcm.serviceAccount), path]) {
      const before = fcm.taken.length
      expect(await pushOnce(account)).toEqual({ outcomes: [{ state: 'taken' }], lines: [] })
      expect(fcm.taken).toHaveLength(before + 1)
    }
  })

  test('may be missing: pushes are logged then, and reach nobody', async () => {
    const before = fcm.taken.length
    const { lines } = await pushOnce(undefined)
    expect(lines).toEqual(['push not sent: no push service is set up'])
    expect(fcm.taken).toHaveLength(before)
  })

  const canary = 'canary-private-key'
  test.each([
    ['broken JSON', `{"private_key": "${canary}"`],
    ['JSON that is something else', JSON.stringify({ private_key: canary })],
    ['no key that can be read', JSON.stringify({ project_id: 'p', client_email: 'a@b.example', private_key: canary })],
    ['an empty field', JSON.stringify({ project_id: '', client_email: 'a@b.example', private_key: canary })],
    ['a path that leads nowhere', '/nowhere/account.json'],
    ['nothing but null', 'null'],
  ])('that is %s stops the start with a line that names the variable and no part of the key', async (_, account) => {
    const failed = await pushOnce(account).catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(ConfigError)
    const { message } = failed as ConfigError
    expect(message).toMatch(/^FIREBASE_SERVICE_ACCOUNT: .*$/)
    expect(message).not.toContain(canary)
  })
})
