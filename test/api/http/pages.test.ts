import { createHash } from 'node:crypto'
import { describe, expect } from 'vitest'
import { apiTest } from '../../support/fixtures.ts'

const test = apiTest()

describe.each([
  '/verify-email',
  '/reset-password',
  '/invitation',
  '/confirm-request',
  '/mail-preferences',
  '/connected-account',
  '/offer',
  '/stalled-students',
])('the page %s (§Endpoints)', (url) => {
  test('is served without a token, for nobody to keep or frame', async ({ api }) => {
    const response = await api.call('GET', url)
    expect(response.statusCode).toBe(200)
    expect(response.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    })
    expect(response.headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(response.body).toContain(`<body data-page="${url.slice(1)}">`)
  })

  test('runs its own script and style and nothing else, and asks nothing of another host', async ({ api }) => {
    const { body, headers } = await api.call('GET', url)
    const policy = String(headers['content-security-policy'])
    for (const [element, directive] of [
      ['script', 'script-src'],
      ['style', 'style-src'],
    ] as const) {
      const found = [...body.matchAll(new RegExp(`<${element}>([\\s\\S]*?)</${element}>`, 'g'))]
      expect(found).toHaveLength(1)
      const hash = createHash('sha256')
        .update(found[0]?.[1] ?? '')
        .digest('base64')
      expect(policy).toContain(`${directive} 'sha256-${hash}'`)
    }
    expect(policy).toMatch(/^default-src 'none'; /)
    expect(body).not.toMatch(/(src|href)=|https?:\/\/|@import|url\(/)
    expect(body).not.toMatch(/\son\w+=/)
  })
})
