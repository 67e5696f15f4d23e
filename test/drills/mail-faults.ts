import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestApp } from '../support/app.ts'
import { stopFor } from './faults.ts'
import { type Drill, drillMails, killWorkers, type MailEnv, startMailEnv } from './mail-drill.ts'
import type { EnqueuedMail } from './mail-load.ts'
import { printTable } from './report.ts'
import { settings } from './settings.ts'

const unharmed = { lost: 0, doubled: 0 }
type Queues = 'redis' | 'postgres'

/** Starts what a mail passes through for the tests of the block, and prints the table at its end. */
function mailEnv(kind: Queues): () => MailEnv {
  let env: MailEnv
  beforeAll(async () => {
    env = await startMailEnv(kind)
  })
  afterAll(async () => {
    await env.close()
    printTable()
  })
  return () => env
}

/** Declares the drills of stops and losses, with the queues in Redis or in PostgreSQL. */
export function drillStops(kind: Queues): void {
  describe(`mails, queues in ${kind}`, () => {
    const env = mailEnv(kind)
    /** A fault that kills no worker, so that nothing excuses a mail that comes twice. */
    async function drill(fault: string, run: Drill['run']): Promise<void> {
      const result = await drillMails(env(), { fault: `${fault} (${kind})`, run })
      expect(result).toMatchObject({ ...unharmed, inWindow: 0 })
    }

    test('F8: a process ends between its commit and the hand-over', async () => {
      await drill('F8: kill -9 between commit and hand-over', ({ api }, _kills, enqueued) =>
        commitAndDie(api, enqueued),
      )
    })

    test.runIf(kind === 'redis')('Redis loses all it has (flush)', async () => {
      await drill('FLUSHALL of Redis', async ({ redis }) => {
        const client = new Redis(redis!.url)
        await client.flushall()
        client.disconnect()
      })
    })

    test.runIf(kind === 'redis')('F3: Redis is killed', async () => {
      await drill('F3: kill -9 of Redis (AOF)', async ({ redis }) => {
        await redis!.kill()
        await redis!.restart()
      })
    })

    for (const seconds of settings.stops) {
      test(`a worker is stopped for ${seconds} s`, async () => {
        await drill(`SIGSTOP of a worker, ${seconds} s`, ({ workers }) => stopFor(seconds, [workers[0]!.pid]))
      })

      test(`F4: PostgreSQL is stopped for ${seconds} s`, async () => {
        await drill(`F4: SIGSTOP of PostgreSQL, ${seconds} s`, async ({ postgres }) =>
          stopFor(seconds, await postgres.pids()),
        )
      })

      test.runIf(kind === 'redis')(`F4: Redis is stopped for ${seconds} s`, async () => {
        await drill(`F4: SIGSTOP of Redis, ${seconds} s`, ({ redis }) => stopFor(seconds, [redis!.pid()]))
      })
    }
  })
}

/** Declares the drill of killed workers, with the queues in Redis or in PostgreSQL. */
export function drillKills(kind: Queues): void {
  describe(`mails, queues in ${kind}`, () => {
    const env = mailEnv(kind)

    test('F1: a worker is killed at random instants', async () => {
      const fault = `F1: kill -9 of a worker, ${settings.kills} times (${kind})`
      expect(await drillMails(env(), { fault, run: killWorkers })).toMatchObject(unharmed)
    })
  })
}

/** Enqueues mails in processes that commit and are killed before they hand their jobs over. */
async function commitAndDie({ config }: TestApp, enqueued: EnqueuedMail[]): Promise<void> {
  const settingsOf = Object.entries(config).flatMap(([name, value]) => (value ? [[name, String(value)]] : []))
  for (let crash = 0; crash < settings.crashes; crash++) {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'commit-and-die.ts')], {
      env: Object.fromEntries(settingsOf),
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let said = ''
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk
    })
    const [, signal] = await once(child, 'close')
    expect(signal).toBe('SIGKILL')
    enqueued.push({ to: said.trim(), at: performance.now() })
  }
}
