import { PDFDocument } from '@cantoo/pdf-lib'
import { describe, expect } from 'vitest'
import { buildMember, type Member } from '../../../support/builders.ts'
import { sharedSchoolTest } from '../../../support/fixtures.ts'
import { expectOk } from '../../../support/flights.ts'
import { pdfText } from '../../../support/pdf-text.ts'
import { buildTraining, enrol } from '../../../support/training.ts'
import { type SignedPost, uploadTo } from '../../../support/uploads.ts'

const UNTIL = '2026-12-10T10:00:00Z'

async function pageOf(text: string): Promise<Buffer> {
  const doc = await PDFDocument.create()
  doc.addPage().drawText(text)
  return Buffer.from(await doc.save())
}

const test = sharedSchoolTest()
  .extend('path', { scope: 'file' }, async ({ api, school }) => {
    const course = await buildTraining(api, school)
    const instructorOrgUserId = school.instructor.orgUserId
    return `/training/enrollments/${await enrol(api, school, course, school.student, { instructorOrgUserId })}`
  })
  .extend('document', ({ api, school }) => async (title: string, bytes: Buffer, extra: object = {}) => {
    const body = { title, category: 'medical', fileName: 'a.pdf', contentType: 'application/pdf', ...extra }
    const response = await api.as(school.student).post('/documents', body)
    expect(response.statusCode).toBe(201)
    const { data, signedUrlData } = response.json() as { data: { id: number }; signedUrlData: SignedPost[] }
    expect(await uploadTo(api, signedUrlData[0]!, bytes)).toBe(204)
    return data.id
  })
  .extend(
    'allow',
    ({ api, path }) =>
      async (who: Member, documents: { documentId: number; until: string }[]) =>
        api.as(who).put(`${path}/packetDocuments`, { documents }),
  )
  .extend(
    'packet',
    ({ api, path }) =>
      async (who: Member) =>
        api.as(who).get(`${path}/packet?include=documents`),
  )

describe('the documents of a packet (§28.3: PUT /training/enrollments/{id}/packetDocuments)', () => {
  test('are appended as long as the student allows it, and the first page names them and those that cannot be read', async ({
    api,
    school,
    path,
    document,
    allow,
    packet,
  }) => {
    expect((await packet(school.instructor)).statusCode).toBe(403)
    const plain = (await api.as(school.instructor).get(`${path}/packet`)).rawPayload
    const medical = await document('Medical of May', await pageOf('Class 3'))
    const broken = await document('Broken file', Buffer.from('%PDF-1.7\nnothing\n%%EOF'))
    const allowed = await allow(school.student, [
      { documentId: medical, until: UNTIL },
      { documentId: broken, until: UNTIL },
    ])
    expect(allowed.json().data).toEqual([
      { documentId: broken, title: 'Broken file', until: '2026-12-10T10:00:00.000Z' },
      { documentId: medical, title: 'Medical of May', until: '2026-12-10T10:00:00.000Z' },
    ])
    const { rawPayload } = await packet(school.instructor)
    const pages = async (bytes: Buffer) => (await PDFDocument.load(bytes)).getPageCount()
    expect(await pages(rawPayload)).toBe((await pages(plain)) + 1)
    const [first = ''] = pdfText(rawPayload).split('Itemsandevidence')
    expect(first).toContain('Attheend,withthestudent’sconsent:MedicalofMay.')
    expect(first).toContain('Notappended,becausethefilecouldnotberead:Brokenfile.')
    expect(await expectOk(api, school.instructor, 'GET', `${path}/packetDocuments`)).toHaveLength(2)

    await allow(school.student, [])
    expect((await packet(school.instructor)).statusCode).toBe(403)
    expect(await expectOk(api, school.student, 'GET', `${path}/packetDocuments`)).toEqual([])
  })

  test('are allowed by the student alone, for at most 30 days, and are no proof of identity nor of another', async ({
    api,
    school,
    document,
    allow,
  }) => {
    const mine = await document('Mine', await pageOf('x'))
    const identity = await document('Passport', await pageOf('x'), { category: 'identification' })
    const other = await buildMember(api, school.organizationId, ['student'])
    const one = (documentId: number, until = UNTIL) => [{ documentId, until }]
    for (const who of [school.instructor, school.admin, school.dispatcher, other]) {
      expect((await allow(who, one(mine))).statusCode).toBe(403)
    }
    const messageOf = async (documents: { documentId: number; until: string }[]) => {
      const { statusCode, body } = await allow(school.student, documents)
      expect(statusCode).toBe(400)
      return (JSON.parse(body) as { message: string }).message
    }
    expect(await messageOf(one(mine, '2027-01-20T10:00:00Z'))).toBe(
      'documents.0.until: must be within 30 days from now',
    )
    expect(await messageOf(one(mine, '2026-01-20T10:00:00Z'))).toContain('within 30 days')
    expect(await messageOf(one(identity))).toBe('documents.0.documentId: a proof of identity is not appended')
    expect(await messageOf(one(999_999))).toBe('documents.0.documentId: is no document of yours')
  })

  test('end by themselves, and with the document', async ({ api, school, path, document, allow, packet }) => {
    const first = await document('First', await pageOf('x'))
    const second = await document('Second', await pageOf('x'))
    const later = '2026-12-12T10:00:00Z'
    await allow(school.student, [
      { documentId: first, until: UNTIL },
      { documentId: second, until: later },
    ])
    const listed = () => expectOk<{ title: string }[]>(api, school.student, 'GET', `${path}/packetDocuments`)
    expect((await api.as(school.student).delete(`/documents/${second}`)).statusCode).toBe(204)
    expect(await listed()).toMatchObject([{ title: 'First' }])
    const { now } = api.clock
    api.clock.now = new Date(UNTIL)
    expect(await listed()).toEqual([])
    expect((await packet(school.student)).statusCode).toBe(403)
    api.clock.now = now
  })
})
