import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { countTogether } from '../../src/api/http/count-together.ts'
import { openRedis } from '../../src/shared/platform/jobs/open-redis.ts'
import { openQueueBackend } from '../../src/shared/platform/jobs/queue-backend.ts'
import { eventually } from '../support/eventually.ts'
import type { RedisNodes } from '../support/redis-nodes.ts'
import { drillMails, type MailEnv, startMailEnv } from './mail-drill.ts'
import { printTable } from './report.ts'

/** How long a killed server stays away: others have taken its place before it comes back as a replica. */
const AWAY_MS = 8_000
/** As an API connects for its limits. */
const limited = { enableOfflineQueue: false, maxRetriesPerRequest: 1, commandTimeout: 1_000 }
/** How often the master is killed. */
const KILLS = 3

/** Declares the drills of several servers of Redis: their master is killed under load, once, and again and again. */
export function drillNodes(what: string, start: () => Promise<RedisNodes>): void {
  let nodes: RedisNodes
  let env: MailEnv
  beforeAll(async () => {
    nodes = await start()
    env = await startMailEnv(nodes)
  })
  afterAll(async () => {
    await env?.close()
    await nodes?.stop()
    printTable()
  })

  const killAndRestart = async () => {
    const port = await nodes.killMaster()
    const killed = performance.now()
    const master = () => nodes.master().catch(() => port)
    void eventually(master, (now) => now !== port).then(() => say('a new master', killed))
    await pause(AWAY_MS)
    await nodes.restart(port)
    await pause(1_000)
  }

  describe(`mails with queues in ${what}`, () => {
    test('are not sent by a process that starts while one server evicts keys', async () => {
      await nodes.evict('allkeys-lru')
      const options = { redisUrl: nodes.url, databaseUrl: env.postgres.url, onError: () => undefined }
      await expect(openQueueBackend(options)).rejects.toThrow('maxmemory-policy allkeys-lru')
      await nodes.evict('noeviction')
    })

    test('are sent once when the master is killed', async () => {
      const { lost, doubled } = await drillMails(env, {
        fault: `${what}: master killed`,
        othersTakeOver: true,
        run: killAndRestart,
      })
      expect({ lost, doubled }).toEqual({ lost: 0, doubled: 0 })
    })

    test('are sent once when one master after another is killed', async () => {
      const { lost, doubled } = await drillMails(env, {
        fault: `${what}: master killed ${KILLS} times`,
        othersTakeOver: true,
        run: async () => {
          for (let kill = 0; kill < KILLS; kill++) await killAndRestart()
        },
      })
      expect({ lost, doubled }).toEqual({ lost: 0, doubled: 0 })
    })

    test('are limited in all processes together, also after the master was killed', async () => {
      const clients = [openRedis(nodes.url, limited), openRedis(nodes.url, limited)]
      for (const client of clients) client.on('error', () => undefined)
      await Promise.all(clients.map((client) => once(client, 'ready')))
      const counts = clients.map((client) => countTogether(client))
      const both = async (key: string) => {
        for (const count of counts) await count(`{flightline}:drill:${key}`, 1, 60)
        return (await counts[0]!(`{flightline}:drill:${key}`, 1, 60))[0]
      }
      expect(await both('before')).toBe(3)
      const port = await nodes.killMaster()
      const began = performance.now()
      let counted: number | null = null
      while (counted === null && performance.now() - began < AWAY_MS * 2) {
        counted = await both(`after ${performance.now()}`).catch(() => null)
        if (counted === null) await pause(200)
      }
      expect(counted).toBe(3)
      say('limits count together again', began)
      await nodes.restart(port)
      for (const client of clients) client.disconnect()
    })
  })
}

function say(what: string, since: number): void {
  process.stdout.write(`${what} after ${((performance.now() - since) / 1_000).toFixed(1)} s\n`)
}
