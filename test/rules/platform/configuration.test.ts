import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { envFileRule } from '../../../src/cli/env-file.rules.ts'
import { readConfig, requireAll } from '../../../src/shared/platform/config/config.ts'
import { configWarnings } from '../../../src/shared/platform/config/config-warnings.ts'
import { describeConfig } from '../../../src/shared/platform/config/describe-config.ts'
import { whyNotListening } from '../../../src/shared/platform/config/listening.ts'

const read = (env: Record<string, string>) => readConfig(env, { HOST: '127.0.0.1' })
const complete = {
  DATABASE_URL: 'postgresql://service:db-secret@db.example:5432/flightline',
  AUTH_KEYS: '{"keys":[]}',
  RECORD_KEYS: '{"keys":[]}',
  SMTP_URL: 'smtp://mailer:mail-secret@mail.example',
  STRIPE_SECRET_KEY: 'sk_test_secret',
  STRIPE_WEBHOOK_SECRET: 'whsec_secret',
}
/** The message of the check at start. */
const refusal = (env: Record<string, string>) => {
  try {
    requireAll(read(env))
    return null
  } catch (error) {
    return (error as Error).message
  }
}

describe('the configuration', () => {
  test.each([
    [
      'nothing at all',
      {},
      'DATABASE_URL, AUTH_KEYS, RECORD_KEYS, SMTP_URL, STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET are not set',
    ],
    ['one variable too few', { ...complete, SMTP_URL: '' }, 'SMTP_URL is not set'],
    ['half of a pair', { ...complete, OPS_USER: 'ops' }, 'OPS_PASSWORD is not set'],
    [
      'halves of two pairs',
      { ...complete, ZOOM_CLIENT_ID: 'a', S3_SECRET_ACCESS_KEY: 'b' },
      'S3_ACCESS_KEY_ID and ZOOM_CLIENT_SECRET are not set',
    ],
    ['an object store without a bucket', { ...complete, S3_ENDPOINT: 'http://storage:8333' }, 'S3_BUCKET is not set'],
    ['everything', complete, null],
  ])('with %s names all that is missing on one line', (_, env, line) => {
    expect(refusal(env)).toBe(line)
  })

  test.each([
    ['DATABASE_URL', 'mysql://localhost/flightline', 'must begin with postgresql://'],
    ['REDIS_URL', 'http://localhost:6379', 'must be redis://host:port, '],
    ['DATABASE_READ_URL', 'postgresql://a/f,mysql://b/f', 'must be addresses that begin with postgresql://'],
    ['DATABASE_READ_URL', 'postgresql://a/f,', 'must be addresses that begin with postgresql://'],
    ['SMTP_URL', 'mail.example:25', 'must begin with smtp:// or smtps://'],
    ['PUBLIC_URL', 'ftp://flightline.example', 'must begin with https:// or http://'],
  ])('refuses %s=%s and says how it begins', (name, value, line) => {
    expect(() => read({ [name]: value })).toThrow(`${name}: ${line}`)
  })

  test('names every malformed variable at once', () => {
    expect(() => read({ PORT: 'http', LOG_LEVEL: 'loud' })).toThrow(/^PORT: .*; LOG_LEVEL: /)
  })

  test('sends a live key of the payment gateway nowhere in the open', () => {
    const live = { STRIPE_SECRET_KEY: 'sk_live_1', STRIPE_API_BASE: 'http://payments:12111' }
    expect(() => read(live)).toThrow('STRIPE_API_BASE: a live key goes to https:// alone')
    expect(read({ ...live, STRIPE_SECRET_KEY: 'sk_test_1' }).STRIPE_API_BASE).toBe('http://payments:12111')
  })

  test.each([
    ['smtp://127.0.0.1:1025', undefined, true],
    ['smtp://localhost', 'development', true],
    ['smtp://[::1]:2525', undefined, true],
    ['smtp://127.0.0.1:1025', 'production', false],
    ['smtp://mail.example', undefined, false],
    ['smtp://127.0.0.1.mail.example:25', undefined, false],
    ['smtp://user:secret@127.0.0.1:587', undefined, false],
  ])('mails for demo organizations through %s with NODE_ENV=%s: %s', (SMTP_URL, NODE_ENV, allowed) => {
    const env = { DEMO_MAIL: 'on', SMTP_URL, ...(NODE_ENV && { NODE_ENV }) }
    if (allowed) expect(read(env).DEMO_MAIL).toBe('on')
    else expect(() => read(env)).toThrow('DEMO_MAIL: is for a mail catcher on this machine, and never with')
  })

  test('reads a secret from the file that its variable names, without the newline at its end', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'flightline-secret-')), 'password')
    writeFileSync(file, 'correct horse\n')
    expect(read({ OPS_PASSWORD_FILE: file }).OPS_PASSWORD).toBe('correct horse')
    expect(read({ OPS_PASSWORD_FILE: file, OPS_PASSWORD: 'given' }).OPS_PASSWORD).toBe('given')
    expect(() => read({ AUTH_KEYS_FILE: '/nowhere/keys', PORT: 'x' })).toThrow(
      /^AUTH_KEYS_FILE: \/nowhere\/keys cannot be read \(ENOENT\); PORT: /,
    )
  })

  test('warns of names that are almost ours and of secrets that are given twice, and of no others', () => {
    const env = { STRIPE_SECRETKEY: 'x', DATABSE_URL: 'x', smtp_url: 'x', AUTH_KEYS: 'x', AUTH_KEYS_FILE: 'x' }
    expect(configWarnings(env)).toEqual([
      'STRIPE_SECRETKEY is not read: is STRIPE_SECRET_KEY meant?',
      'DATABSE_URL is not read: is DATABASE_URL meant?',
      'smtp_url is not read: is SMTP_URL meant?',
      'AUTH_KEYS is set, so AUTH_KEYS_FILE is not read',
    ])
    expect(configWarnings({ PATH: '/bin', HOME: '/root', PGHOST: 'db', LANG: 'C', NODE_ENV: 'production' })).toEqual([])
  })

  test('is described on one line, what is on and what is off, without a secret', () => {
    const line = describeConfig(read(complete))
    expect(line).toBe(
      'on: database (db.example:5432), queues (in the database), mail (mail.example), payments (Stripe), ' +
        "uploads (./.data); off: push, Zoom, Google Meet, weather, traces, operators' pages, trusted proxies",
    )
  })
})

describe('an error of listening', () => {
  const failed = (code: string) =>
    whyNotListening(Object.assign(new Error('listen'), { code }), { port: 80, host: '10.9.9.9', variable: 'PORT' })
  test.each([
    ['EADDRINUSE', 'port 80 is already taken: set PORT to a free one'],
    ['EACCES', 'no permission to listen on port 80: set PORT to one above 1023'],
    ['EADDRNOTAVAIL', '10.9.9.9 is no address of this machine: set HOST'],
    ['EIO', 'listen'],
  ])('%s says what to change', (code, line) => {
    expect((failed(code) as Error).message).toBe(line)
  })
})

describe('a file of variables', () => {
  const facts = { file: '/srv/.env', mode: 0o100600, folderMode: 0o40755, production: true }
  test('is read, with a warning when others may read it', () => {
    expect(envFileRule(facts)).toEqual({ read: true })
    expect(envFileRule({ ...facts, mode: 0o100644 })).toEqual({
      read: true,
      warning: 'others may read /srv/.env: chmod 600 .env',
    })
  })

  test('is not read in production from a directory that others may write', () => {
    const open = { ...facts, folderMode: 0o40777 }
    expect(envFileRule(open)).toEqual({ read: false, warning: '/srv/.env is not read: others may write its directory' })
    expect(envFileRule({ ...open, production: false }).read).toBe(true)
  })
})
