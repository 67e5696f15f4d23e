import { createHash } from 'node:crypto'
import { describe, expect } from 'vitest'
import { hashPaper } from '../../../src/shared/scheduling/scheduling.jobs.ts'
import { bookingBody, seats } from '../../support/booking.ts'
import { schoolWorkersTest } from '../../support/fixtures.ts'
import { expectOk } from '../../support/flights.ts'
import { type SignedPost, uploadTo } from '../../support/uploads.ts'

const test = schoolWorkersTest()

describe('the paper of an override (interface §Booking rules)', () => {
  test('is kept by its hash, also when the document is deleted', async ({ api, school, workers }) => {
    const { pool } = api.core.database
    await expectOk(api, school.admin, 'PATCH', '/rules/endorsement', { enforcement: 'block' })
    const bytes = Buffer.from('%PDF-1.7 A.6 by I. Petrov')
    const title = {
      title: 'Logbook',
      category: 'certificate',
      fileName: 'scan.pdf',
      orgUserId: school.student.orgUserId,
    }
    const added = await api.as(school.dispatcher).post('/documents', title)
    const { data, signedUrlData } = added.json<{ data: { id: number }; signedUrlData: SignedPost[] }>()
    const { id: documentId } = data
    expect(await uploadTo(api, signedUrlData[0]!, bytes)).toBe(204)
    const overrides = [{ rule: 'endorsement', reason: 'Saw the paper', documentId }]
    const solo = bookingBody(school, 'solo', { personnel: seats({ students: [school.student] }), overrides })
    const { id } = await expectOk<{ id: number }>(api, school.admin, 'POST', '/reservations', solo)
    await workers.settled()
    const kept = async () =>
      (await pool.query('select document_id, document_sha256 from rule_override where reservation_id = $1', [id])).rows
    const document_sha256 = createHash('sha256').update(bytes).digest('hex')
    expect(await kept()).toEqual([{ document_id: documentId, document_sha256 }])
    // Another file of the same document, before the hash is there, changes nothing.
    const { organizationId } = school
    const { rows } = await pool.query('select id from rule_override where reservation_id = $1', [id])
    const { rows: files } = await pool.query('select storage_key from document where id = $1', [documentId])
    await pool.query('update rule_override set document_sha256 = null where reservation_id = $1', [id])
    await pool.query(`update document set storage_key = 'another' where id = $1`, [documentId])
    const storageKey = files[0].storage_key
    await workers.run((tx) => tx.enqueue(hashPaper, { organizationId, overrideId: rows[0].id, storageKey }))
    expect(await kept()).toEqual([{ document_id: documentId, document_sha256 }])
    await pool.query('update document set storage_key = $2 where id = $1', [documentId, storageKey])
    await api.as(school.admin).delete(`/reservations/${id}`, { reason: 'Rain', category: 'weather' })
    expect((await api.as(school.admin).delete(`/documents/${documentId}`)).statusCode).toBe(204)
    expect(await kept()).toEqual([{ document_id: null, document_sha256 }])
    const read = await expectOk<{ overrides: object[] }>(api, school.admin, 'GET', `/reservations/${id}`)
    expect(read.overrides).toMatchObject([{ paper: true }])
    expect(read.overrides[0]).not.toHaveProperty('documentId')
  })
})
