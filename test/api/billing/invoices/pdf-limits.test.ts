import { describe, expect, test } from 'vitest'
import { makeLimited } from '../../../../src/api/pdf/limited-pdf.ts'
import { startTestApp } from '../../../support/app.ts'
import { buildSchool } from '../../../support/builders.ts'
import { limited } from '../../../support/limited.ts'
import { buildInvoice } from '../../../support/records.ts'

describe('PDFs (§Limits)', () => {
  test('are 120 an hour for an account, of whatever kind', async () => {
    // A twentieth: six an hour.
    const api = await startTestApp({ env: { RATE_LIMIT_FACTOR: '0.05' } })
    try {
      const school = await buildSchool(api)
      const { student } = school
      const invoice = await buildInvoice(api, school, { payer: student })
      const as = api.as(student)
      const statement = `/orgUsers/${student.orgUserId}/statement`
      const urls = [`/invoices/${invoice}?format=pdf`, `${statement}?format=pdf`]
      for (const url of [...urls, ...urls, ...urls]) expect((await as.get(url)).statusCode).toBe(200)
      for (const url of urls) limited(await as.get(url))
      expect((await as.get(statement)).statusCode).toBe(200)
    } finally {
      await api.close()
    }
  })

  test('are made two at once in a process', async () => {
    const call = {
      actor: { accountId: 1 },
      count: async () => {},
      services: { config: { RATE_LIMIT_FACTOR: 1 } },
    } as unknown as Parameters<typeof makeLimited>[0]
    const made = Buffer.from('made')
    const [first, second] = [Promise.withResolvers<Buffer>(), Promise.withResolvers<Buffer>()]
    const under = [makeLimited(call, () => first.promise), makeLimited(call, () => second.promise)]
    await expect(makeLimited(call, async () => made)).rejects.toMatchObject({ status: 429, retryAfterSeconds: 2 })
    first.reject(new Error('no paper'))
    await expect(under[0]).rejects.toThrow('no paper')
    expect(await makeLimited(call, async () => made)).toBe(made)
    second.resolve(made)
    expect(await under[1]).toBe(made)
  })
})
