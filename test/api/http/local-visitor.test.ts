import Fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import { installErrorHandler } from '../../../src/api/http/error-handler.ts'
import { platformErrors } from '../../../src/shared/platform/platform.errors.ts'

const INBOX = 'http://localhost:1080'
const app = Fastify()
installErrorHandler(app, INBOX)
app.get('/', () => {
  throw platformErrors.emailNotVerified()
})

describe('who must verify an address and has the inbox on the same machine', () => {
  test.each([
    ['is told where the mail lies', { host: 'localhost:3000' }, true],
    ['is not told so through a proxy', { host: 'localhost:3000', 'x-forwarded-for': '203.0.113.7' }, false],
    ['is not told so under another name of the host', { host: 'school.example' }, false],
  ])('%s', async (_, headers, told) => {
    const answer = await app.inject({ method: 'GET', url: '/', headers })
    expect(answer.statusCode).toBe(403)
    expect(answer.json().message.endsWith(` The mail lies in the inbox at ${INBOX}.`)).toBe(told)
  })
})
