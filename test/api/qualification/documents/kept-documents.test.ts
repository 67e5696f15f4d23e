import { describe, expect } from 'vitest'
import { inTransaction } from '../../../../src/shared/platform/db/transaction.ts'
import { PURGED_AT_ONCE, purgeBatch } from '../../../../src/shared/platform/retention/purge-batch.access.ts'
import { deleteKeptDocuments } from '../../../../src/shared/qualification/documents/delete-document.ts'
import { schoolTest } from '../../../support/fixtures.ts'
import { expectOk } from '../../../support/flights.ts'
import { uploadTo } from '../../../support/uploads.ts'

const test = schoolTest()

describe('the papers of a member who left (49 CFR 1552.15(b), 14 CFR 61.189(b))', () => {
  test('stay as long as the law says when they prove training or an endorsement, and go then', async ({
    api,
    school,
  }) => {
    const { owner, admin, student } = school
    const { pool } = api.core.database
    const add = async (title: string) => {
      const body = { title, category: 'certificate', fileName: 'scan.pdf', orgUserId: student.orgUserId }
      const { data, signedUrlData } = (await api.as(admin).post('/documents', body)).json()
      await uploadTo(api, signedUrlData[0], Buffer.from('%PDF-1.7\nsome pages\n%%EOF'))
      return data.id as number
    }
    const titles = async () =>
      (await expectOk<{ title: string }[]>(api, owner, 'GET', `/documents?orgUserId=${student.orgUserId}`)).map(
        ({ title }) => title,
      )
    const [security, endorsement] = [await add('Security training'), await add('Logbook page')]
    await add('Passport')
    await pool.query(`update document set upload = 'stored' where id = $1`, [endorsement])
    const currency = { name: 'Security awareness', kind: 'expiring', validCalendarMonths: 24 }
    const { id: currencyId } = await expectOk<{ id: number }>(api, admin, 'POST', '/currencies', currency)
    await expectOk(api, admin, 'PUT', `/orgUsers/${student.orgUserId}/currencies/${currencyId}`, {
      completedAt: '2026-05-01T12:00:00Z',
      documentId: security,
    })
    const ending = { on: '2026-11-01', because: 'surrendered', note: 'Lost on the ramp' }
    await expectOk(api, student, 'POST', `/orgUsers/${student.orgUserId}/currencies/${currencyId}/end`, ending)
    await expectOk(api, admin, 'POST', '/training/endorsements', {
      orgUserId: student.orgUserId,
      templateCode: 'A.69',
      renderedText: 'Flight review',
      documentId: endorsement,
      signedBy: { name: 'Chuck Dee', certificateNumber: '31CFI' },
      signerCertificateNumber: '31CFI',
      signedAt: '2026-04-02T12:00:00Z',
    })
    expect((await api.as(owner).delete(`/orgUsers/${student.orgUserId}?cancelBookings=true`)).statusCode).toBe(204)
    expect(await titles()).toEqual(['Logbook page', 'Security training'])

    const erasing = await api.as(owner).post(`/orgUsers/${student.orgUserId}/erase`, { reason: 'Asked for it' })
    const kept = erasing.json().data.kept as { kind: string; until: string | null }[]
    const until = Object.fromEntries(kept.map((one) => [one.kind, one.until]))
    // The tests' time is 21 November 2026. Of two documents the later end: three years after the signature.
    const ended = 'select ended_on::text as on, ended_because, ended_note from currency_record where membership_id = $1'
    const { rows: dates } = await pool.query(ended, [student.orgUserId])
    expect(dates).toEqual([{ on: '2026-11-01', ended_because: null, ended_note: null }])
    expect(until).toMatchObject({ currencies: '2027-11-21T12:00:00.000Z', documents: '2029-04-02T12:00:00.000Z' })

    const purge = async (at: string) => {
      api.clock.now = new Date(at)
      await inTransaction(api.core.database, api.core.clock, async (tx) => {
        await deleteKeptDocuments(tx, PURGED_AT_ONCE)
        await purgeBatch(tx, 'currency_record')
      })
      const { rows } = await pool.query('select from currency_record where membership_id = $1', [student.orgUserId])
      return {
        dates: rows.length,
        documents: (await pool.query('select from document where membership_id = $1', [student.orgUserId])).rows.length,
      }
    }
    expect(await purge('2027-11-21T12:00:00Z')).toEqual({ dates: 1, documents: 2 })
    expect(await purge('2027-11-21T12:00:01Z')).toEqual({ dates: 0, documents: 1 })
    expect(await purge('2029-04-02T12:00:01Z')).toEqual({ dates: 0, documents: 0 })
  })

  test('of security are kept for a year after the leaving, and for five after the last training', async ({
    api,
    school,
  }) => {
    const { owner, admin, renter } = school
    const { pool } = api.core.database
    const currency = { name: 'Security awareness', kind: 'expiring', validCalendarMonths: 24 }
    const { id } = await expectOk<{ id: number }>(api, admin, 'POST', '/currencies', currency)
    const record = { completedAt: '2026-05-01T12:00:00Z' }
    await expectOk(api, admin, 'PUT', `/orgUsers/${renter.orgUserId}/currencies/${id}`, record)
    const verified = { citizenshipVerification: { kind: 'passport' } }
    await expectOk(api, owner, 'PATCH', `/orgUsers/${renter.orgUserId}/profile`, verified)
    expect((await api.as(owner).delete(`/orgUsers/${renter.orgUserId}`)).statusCode).toBe(204)
    await pool.query(`update membership set removed_at = '2026-05-04T12:00:00Z' where id = $1`, [renter.orgUserId])
    await pool.query(
      `update member_profile set facts = jsonb_set(facts, '{citizenshipVerification,at}', '"2026-05-04T12:00:00Z"')
        where membership_id = $1`,
      [renter.orgUserId],
    )
    const { kept } = await expectOk<{ kept: { kind: string; until: string | null }[] }>(
      ...([api, owner, 'POST', `/orgUsers/${renter.orgUserId}/erase`, { reason: 'Asked for it' }] as const),
    )
    expect(Object.fromEntries(kept.map(({ kind, until }) => [kind, until]))).toMatchObject({
      currencies: '2027-05-04T12:00:00.000Z',
      profile: '2031-05-04T12:00:00.000Z',
    })
  })
})
