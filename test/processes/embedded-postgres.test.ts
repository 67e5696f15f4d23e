import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { DataDirInUse, type EmbeddedPostgres } from '../../local/postgres/embedded-postgres.ts'
import { isServerOf } from '../../local/postgres/leftovers.ts'
import { freePort } from '../../local/servers/ports.ts'
import {
  cleanups,
  directory,
  query,
  serverProcess,
  start,
  startElsewhere,
  untilEnded,
} from './support/postgres-starts.ts'

describe('a start', () => {
  let server: EmbeddedPostgres

  beforeAll(async () => {
    server = await start(await directory(), { settings: { max_connections: '30' } })
    const atEnd = cleanups.splice(0).reverse()
    return async () => {
      for (const cleanup of atEnd) await cleanup()
    }
  })

  test('makes a cluster that answers and stays to itself', async () => {
    const settings = ['listen_addresses', 'unix_socket_directories', 'TimeZone', 'fsync', 'jit']
    const columns = settings.map((name) => `current_setting('${name}')`).join(', ')
    expect(await query(server, `select ${columns}`)).toEqual([['127.0.0.1', '', 'UTC', 'off', 'off']])
  })

  test('takes settings of the caller', async () => {
    expect(await query(server, 'show max_connections')).toEqual([['30']])
  })

  test('orders text by code point and knows letters with accents', async () => {
    expect(
      await query(
        server,
        `select 'Z' < 'a', lower('ÉCOLE'), pg_encoding_to_char(encoding)
      from pg_database where datname = 'postgres'`,
      ),
    ).toEqual([[true, 'école', 'UTF8']])
  })

  test('brings btree_gist, citext and pg_trgm', async () => {
    for (const name of ['btree_gist', 'citext', 'pg_trgm']) await query(server, `create extension ${name}`)
    expect(await query(server, `select 'École'::citext = 'éCOLE'::citext`)).toEqual([[true]])
  })

  test('refuses a wrong password', async () => {
    const wrong = { url: (database: string) => server.url(database).replace(/postgres:[^@]+@/, 'postgres:wrong@') }
    await expect(query(wrong, 'select 1')).rejects.toThrow('password authentication failed')
  })

  test('finds what the start before it left, and flushes to disk when durable', async () => {
    const dataDir = await directory()
    const first = await start(dataDir)
    await query(first, 'create table kept as select 7 as answer')
    await first.stop()
    const second = await start(dataDir, { durable: true })
    expect(
      await query(second, `select answer, current_setting('fsync'), current_setting('max_connections') from kept`),
    ).toEqual([[7, 'on', '200']])
  })

  test('waits for a port that it was told to take and that is in use for a moment', async () => {
    const port = await freePort()
    const holder = createServer().listen(port, '127.0.0.1')
    await once(holder, 'listening')
    setTimeout(() => holder.close(), 1_500)
    expect((await start(await directory(), { settings: { port: String(port) } })).port).toBe(port)
  })

  test('that PostgreSQL refuses says so in its words, and leaves the directory free', async () => {
    const dataDir = await directory()
    const refused = start(dataDir, { settings: { max_connections: 'many' } })
    await expect(refused).rejects.toThrow('invalid value for parameter "max_connections": "many"')
    await start(dataDir)
  })

  test('removes what an interrupted first start left', async () => {
    const dataDir = await directory()
    await mkdir(join(dataDir, 'postgres.new-cut'))
    await writeFile(join(dataDir, 'postgres.new-cut', 'PG_VERSION'), '18\n')
    expect(await query(await start(dataDir), 'select 1')).toEqual([[1]])
    expect(existsSync(join(dataDir, 'postgres.new-cut'))).toBe(false)
  })
})

describe('a directory in use', () => {
  test('is refused in one line that names it, within a process and across processes', async () => {
    const dataDir = await directory()
    await start(dataDir)
    const refusal = await start(dataDir).catch((error) => error)
    expect(refusal).toBeInstanceOf(DataDirInUse)
    expect(refusal.message).toContain(dataDir)
    expect(refusal.message).not.toContain('\n')
    expect((await startElsewhere(dataDir)).said).toBe(`DataDirInUse: ${refusal.message}`)
  })

  test('goes to one of several first starts at once', async () => {
    const dataDir = await directory()
    const starts = await Promise.allSettled([start(dataDir), start(dataDir), start(dataDir)])
    expect(starts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })
})

describe('after a crash', () => {
  test('of the process that started it the server ends, and the next start has all that was committed', async () => {
    const dataDir = await directory()
    const { child, said } = await startElsewhere(dataDir)
    await query({ url: () => said }, 'create table kept as select 7 as answer')
    const server = await serverProcess(dataDir)
    child.kill('SIGKILL')
    await untilEnded(server, dataDir)
    expect(await query(await start(dataDir), 'select answer from kept')).toEqual([[7]])
  })

  test('a start need not wait for the server of the process that was killed', async () => {
    const dataDir = await directory()
    const { child, said } = await startElsewhere(dataDir)
    await query({ url: () => said }, 'create table kept as select 7 as answer')
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(await query(await start(dataDir), 'select answer from kept')).toEqual([[7]])
  })

  test('of the server alone it can be started again, with a connection still at work', async () => {
    const dataDir = await directory()
    const first = await start(dataDir, { durable: true })
    await query(first, 'create table kept as select 7 as answer')
    const busy = query(first, 'select count(*) from generate_series(1, 100000000)').catch(() => 'cut off')
    const server = await serverProcess(dataDir)
    process.kill(server, 'SIGKILL')
    await first.stop()
    const second = await start(dataDir, { durable: true, settings: { port: String(first.port) } })
    expect(second.port).toBe(first.port)
    expect(await query(second, 'select answer from kept')).toEqual([[7]])
    expect(await busy).toBe('cut off')
  })

  test('a pid file whose number is another process by now does not block a start', async () => {
    const dataDir = await directory()
    await (await start(dataDir)).stop()
    const lines = [process.ppid, join(dataDir, 'postgres'), 1700000000, 5432, '', '127.0.0.1', '  1 1', 'ready']
    await writeFile(join(dataDir, 'postgres', 'postmaster.pid'), `${lines.join('\n')}\n`)
    expect(await query(await start(dataDir), 'select 1')).toEqual([[1]])
  })

  test('an empty pid file does not block a start', async () => {
    const dataDir = await directory()
    await (await start(dataDir)).stop()
    await writeFile(join(dataDir, 'postgres', 'postmaster.pid'), '')
    expect(await query(await start(dataDir), 'select 1')).toEqual([[1]])
  })
})

describe('Ctrl-C in a terminal', () => {
  test('reaches the process that started the server, not the server', async () => {
    const dataDir = await directory()
    const { child } = await startElsewhere(dataDir)
    const server = await serverProcess(dataDir)
    process.kill(-child.pid!, 'SIGSTOP')
    process.kill(-child.pid!, 'SIGINT')
    await sleep(200)
    expect(await isServerOf(server, join(dataDir, 'postgres'))).toBe(true)
    process.kill(-child.pid!, 'SIGCONT')
    await untilEnded(server, dataDir)
  })
})
