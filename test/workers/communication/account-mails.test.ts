import { describe, expect } from 'vitest'
import { apiTest } from '../../support/fixtures.ts'
import { startTestWorkers } from '../../support/workers.ts'

const password = 'a long way to Tipperary'

const test = apiTest({ env: { RATE_LIMIT_FACTOR: '1', TRUSTED_PROXIES: '127.0.0.1' } })
  .extend('workers', { scope: 'file' }, async ({ api }, { onCleanup }) => {
    const workers = await startTestWorkers(api)
    onCleanup(() => workers.stop())
    return workers
  })
  .extend('signUp', ({ api }) => async (email: string, network: string) => {
    const headers = { 'x-forwarded-for': network }
    const answer = await api.call('POST', '/users', { body: { name: 'Bob', email, password }, headers })
    expect(answer.statusCode, answer.body).toBe(201)
    return answer.json().data.token as string
  })

describe('links to an address that is not verified (§Authentication rule 7)', () => {
  test('are five an hour to one mailbox, and ten for new passwords, however often and by what spelling somebody signs up', async ({
    api,
    workers,
    signUp,
  }) => {
    for (let at = 0; at < 8; at++) await signUp(`target+${at}@example.com`, `198.51.100.${at}`)
    await workers.settled()
    const mailed = () => workers.mails().filter(({ to }) => to.some(({ address }) => address.startsWith('target+')))
    expect(mailed().map(({ subject }) => subject)).toEqual(Array(5).fill('Confirm your email address'))
    for (let at = 0; at < 16; at++) {
      const headers = { 'x-forwarded-for': `198.51.100.${50 + at}` }
      const email = `target+${at % 8}@example.com`
      expect((await api.call('POST', '/auth/forgot-password', { body: { email }, headers })).statusCode).toBe(204)
      await workers.settled()
    }
    expect(mailed().filter(({ subject }) => subject === 'Set a new password')).toHaveLength(10)
    // Whoever has the mailbox signs up with its own address, and gets the link.
    for (let at = 0; at < 7; at++) {
      const token = await signUp('target@example.com', `198.51.100.${100 + at}`)
      expect((await api.call('DELETE', '/users', { token, body: { password } })).statusCode).toBe(204)
    }
    await workers.settled()
    const own = workers.mails('target@example.com').length
    expect(own).toBeGreaterThan(0)
    expect(own).toBeLessThanOrEqual(5)
  })

  test('show at most 80 characters of the name', async ({ api, workers }) => {
    const body = { name: 'win '.repeat(40).trim(), email: 'vera@example.com', password }
    const headers = { 'x-forwarded-for': '198.51.100.60' }
    expect((await api.call('POST', '/users', { body, headers })).statusCode).toBe(201)
    await workers.settled()
    const [mail] = workers.mails('vera@example.com')
    expect(mail?.to[0]?.name.length).toBeLessThanOrEqual(80)
    expect(mail?.text).not.toContain(body.name)
  })
})
