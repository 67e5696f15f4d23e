import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Actor } from '../../../../src/shared/platform/authz/actor.ts'
import { readSettings } from '../../../../src/shared/platform/authz/organization-settings.ts'
import { roleFlags } from '../../../../src/shared/platform/authz/roles.ts'
import { inTransaction, type Tx } from '../../../../src/shared/platform/db/transaction.ts'
import { finalizeUpload } from '../../../../src/shared/platform/storage/storage.jobs.ts'
import { updateDocument } from '../../../../src/shared/qualification/documents/change-document.ts'
import { startTestApp, type TestApp } from '../../../support/app.ts'
import { buildSchool, type Member, type School } from '../../../support/builders.ts'
import { expectOk } from '../../../support/flights.ts'
import { type SignedPost, uploadTo } from '../../../support/uploads.ts'
import { startTestWorkers, type TestWorkers } from '../../../support/workers.ts'

let api: TestApp
let workers: TestWorkers
let school: School
let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'flightline-documents-'))
  api = await startTestApp({ env: { DATA_DIR: directory, PUBLIC_URL: 'https://fly.example' } })
  workers = await startTestWorkers(api, { queues: ['upkeep', 'email'] })
})
afterAll(async () => {
  await workers.stop()
  await api.close()
  await rm(directory, { recursive: true, force: true })
})
beforeEach(async () => {
  api.clock.now = new Date('2026-11-21T12:00:00Z')
  school = await buildSchool(api)
})

interface Document {
  id: number
  title: string
  orgUserId: number | null
  url: string | null
}

const pdf = Buffer.from('%PDF-1.7\nsome pages\n%%EOF')
const medical = { title: 'Medical', category: 'medical', fileName: 'medical.pdf' }
const post = (by: Member, body: object = {}, headers = {}) =>
  api.call('POST', '/documents', { token: by.token, body: { ...medical, ...body }, headers })
const add = (by: Member, body: object = {}) =>
  expectOk<Document>(api, by, 'POST', '/documents', { ...medical, ...body })
const addWithFile = async (by: Member, body: object = {}) => {
  const { data, signedUrlData } = (await post(by, body)).json()
  await upload(signedUrlData[0], pdf)
  return data as Document
}
const titles = async (by: Member, query = '') =>
  (await expectOk<Document[]>(api, by, 'GET', `/documents${query}`)).map(({ title }) => title)
const statusOf = async (by: Member, method: 'GET' | 'PATCH' | 'DELETE', id: number) =>
  (await api.call(method, `/documents/${id}`, { token: by.token, body: method === 'PATCH' ? {} : undefined }))
    .statusCode

const upload = (post: SignedPost, bytes: Buffer) => uploadTo(api, post, bytes)

describe('a document (§Documents)', () => {
  test('is added with a signed upload and read back through a signed link', async () => {
    const expiresAt = '2027-11-30T23:59:59.000Z'
    const response = await post(school.student, { expiresAt, contentType: 'text/html', storageKey: 'x' })
    expect(response.statusCode).toBe(201)
    const { data, signedUrlData } = response.json()
    expect(data).toEqual({
      id: expect.any(Number),
      title: 'Medical',
      category: 'medical',
      orgUserId: school.student.orgUserId,
      roles: [],
      expiresAt,
      status: 'pending',
      notes: null,
      verifiedBy: null,
      verifiedAt: null,
      fileName: 'medical.pdf',
      contentType: 'application/pdf',
      url: null,
      uploadedBy: { orgUserId: school.student.orgUserId, name: school.student.name },
      createdAt: '2026-11-21T12:00:00.000Z',
      updatedAt: expect.any(String),
    })
    expect(signedUrlData).toHaveLength(1)
    expect(await upload(signedUrlData[0], Buffer.from('<svg onload="alert(1)"/>'))).toBe(400)
    expect(await upload(signedUrlData[0], pdf)).toBe(204)
    const { url } = await expectOk<Document>(api, school.student, 'GET', `/documents/${data.id}`)
    const { pathname, search } = new URL(url ?? '')
    const answer = await api.app.inject({ method: 'GET', url: pathname + search })
    expect([answer.headers['content-type'], answer.rawPayload]).toEqual(['application/pdf', pdf])
  })

  test('is signed again by a replay under an Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'documents-1' }
    const first = await post(school.student, {}, headers)
    expect((await post(school.student, {}, headers)).json()).toEqual(first.json())
    expect(await titles(school.student)).toEqual(['Medical'])
  })

  test('whose upload has ended is recorded as present or missing', async () => {
    const there = (await post(school.student)).json()
    const missing = (await post(school.student)).json()
    await upload(there.signedUrlData[0], pdf)
    await workers.run(async (tx) => {
      for (const { data } of [there, missing])
        tx.enqueue(finalizeUpload, { organizationId: school.organizationId, table: 'document', fileId: data.id })
    })
    const rows = await api.core.database.db
      .selectFrom('document')
      .select('upload')
      .where('organization_id', '=', school.organizationId)
      .orderBy('id')
      .execute()
    expect(rows.map(({ upload: state }) => state)).toEqual(['stored', 'missing'])
  })

  test('changes in its description, not in its owner or its bytes', async () => {
    const { id } = await add(school.student, { expiresAt: '2027-11-30T23:59:59Z' })
    const body = { title: 'Medical, third class', category: 'certificate', orgUserId: null, storageKey: 'x' }
    expect(await expectOk(api, school.dispatcher, 'PATCH', `/documents/${id}`, body)).toMatchObject({
      title: 'Medical, third class',
      category: 'certificate',
      orgUserId: school.student.orgUserId,
      expiresAt: '2027-11-30T23:59:59.000Z',
      fileName: 'medical.pdf',
    })
    expect(await expectOk(api, school.student, 'PATCH', `/documents/${id}`, { expiresAt: null })).toMatchObject({
      category: 'certificate',
      expiresAt: null,
    })
  })

  test('is reviewed anew when desk staff change its category, expiry or file, also in the same request', async () => {
    const { dispatcher, admin } = school
    const { id } = await addWithFile(school.student)
    const changed = (body: object, by = dispatcher) => expectOk(api, by, 'PATCH', `/documents/${id}`, body)
    const expiresAt = '2027-11-30T23:59:59Z'
    for (const body of [{ category: 'certificate' }, { expiresAt }, { fileName: 'blank.pdf' }]) {
      await changed({ status: 'verified' })
      expect(await changed({ title: 'Logbook', ...body }, admin)).toMatchObject({ status: 'pending', verifiedBy: null })
      if ('fileName' in body) break
      expect(await changed({ ...body, expiresAt: null, status: 'verified' }, admin)).toMatchObject({
        status: 'verified',
        verifiedBy: { orgUserId: admin.orgUserId },
      })
      expect(await changed({ ...body, title: 'Same' })).toMatchObject({
        status: 'expiresAt' in body ? 'pending' : 'verified',
      })
    }
  })

  test('that is deleted leaves neither a row nor its bytes', async () => {
    const { data, signedUrlData } = (await post(school.student)).json()
    await upload(signedUrlData[0], pdf)
    const folder = join(directory, 'uploads', String(school.organizationId))
    expect(await readdir(folder)).toHaveLength(1)
    expect(await statusOf(school.student, 'DELETE', data.id)).toBe(204)
    expect(await statusOf(school.student, 'DELETE', data.id)).toBe(404)
    await workers.settled()
    expect(await readdir(folder)).toEqual([])
    const found = await api.core.database.db.selectFrom('document').select('id').where('id', '=', data.id).execute()
    expect(found).toEqual([])
  })

  test.each<[string, object, number, RegExp]>([
    ['a drawing', { fileName: 'a.svg' }, 400, /^fileName: must end in/],
    ['a page', { fileName: 'a.html' }, 400, /^fileName: /],
    ['a folder', { fileName: '../a.pdf' }, 400, /^fileName: /],
    ['no title', { title: ' ' }, 400, /^title: /],
    ['an unknown category', { category: 'poh' }, 400, /^category: /],
    ['a local time', { expiresAt: '2027-11-30T23:59:59' }, 400, /^expiresAt: /],
    ['roles for a member’s', { roles: ['student'] }, 400, /^roles: are for documents of the organization/],
    ['a member who is not there', { orgUserId: 2_000_000_000 }, 400, /^orgUserId: there is no such member/],
  ])('with %s is refused by field name', async (_what, body, status, message) => {
    const response = await post(school.dispatcher, body)
    expect([response.statusCode, response.json().message]).toEqual([status, expect.stringMatching(message)])
  })

  test('is taken in a demo organization', async () => {
    const demo = await buildSchool(api, { demo: true })
    expect((await post(demo.owner)).statusCode).toBe(201)
  })
})

describe('the visibility of documents (§Documents)', () => {
  test('gives members their own and the organization’s, and desk staff all', async () => {
    const { student } = school
    await add(student, { title: 'Own' })
    await add(school.admin, { title: 'About the student', orgUserId: student.orgUserId, category: 'contract' })
    await add(school.owner, { title: 'Policy', orgUserId: null })
    await add(school.renter, { title: 'The renter’s' })
    expect(await titles(student)).toEqual(['Policy', 'About the student', 'Own'])
    expect(await titles(school.instructor)).toEqual(['Policy'])
    expect(await titles(school.technician)).toEqual(['Policy'])
    const all = ['The renter’s', 'Policy', 'About the student', 'Own']
    for (const desk of [school.owner, school.admin, school.dispatcher]) expect(await titles(desk)).toEqual(all)
    expect(await titles(school.admin, `?orgUserId=${student.orgUserId}`)).toEqual(['About the student', 'Own'])
    expect(await titles(school.admin, '?sort=title&order=desc')).toEqual([
      'The renter’s',
      'Policy',
      'Own',
      'About the student',
    ])
    expect(await titles(school.renter, `?orgUserId=${student.orgUserId}`)).toEqual([])
    expect(await titles(school.admin, '?category=contract&sort=title')).toEqual(['About the student'])
  })

  test('lets a member change what they added of their own, not what the desk filed or the organization’s', async () => {
    const { student } = school
    const filed = await add(school.dispatcher, { orgUserId: student.orgUserId })
    const policy = await add(school.dispatcher, { orgUserId: null })
    for (const { id } of [filed, policy]) {
      expect(await statusOf(student, 'GET', id)).toBe(200)
      expect(await statusOf(student, 'PATCH', id)).toBe(403)
      expect(await statusOf(student, 'DELETE', id)).toBe(403)
    }
    expect((await post(student, { orgUserId: null })).statusCode).toBe(403)
    expect((await post(school.instructor, { orgUserId: student.orgUserId })).statusCode).toBe(403)
    expect((await post(student, { orgUserId: student.orgUserId })).statusCode).toBe(201)
  })

  test('one of the organization is for its roles and the desk, and for everybody without roles', async () => {
    const { id } = await add(school.admin, {
      title: 'Operations',
      orgUserId: null,
      roles: ['instructor', 'technician'],
    })
    for (const who of [school.instructor, school.technician, school.dispatcher]) {
      expect(await titles(who)).toEqual(['Operations'])
      expect(await statusOf(who, 'GET', id)).toBe(200)
    }
    expect(await titles(school.student)).toEqual([])
    for (const method of ['GET', 'PATCH', 'DELETE'] as const)
      expect(await statusOf(school.student, method, id)).toBe(404)
    await expectOk(api, school.admin, 'PATCH', `/documents/${id}`, { roles: [] })
    expect(await titles(school.student)).toEqual(['Operations'])
  })

  test('those of a member who is removed, or deletes their account, go with their bytes', async () => {
    const folder = join(directory, 'uploads', String(school.organizationId))
    const arranged = [
      await post(school.student),
      await post(school.renter),
      await post(school.admin, { orgUserId: null }),
    ]
    for (const response of arranged) expect(await upload(response.json().signedUrlData[0], pdf)).toBe(204)
    expect(await readdir(folder)).toHaveLength(3)
    await api.call('DELETE', `/orgUsers/${school.student.orgUserId}`, { token: school.admin.token })
    await api.call('DELETE', '/users', { token: school.renter.token })
    await workers.settled()
    expect(await titles(school.dispatcher)).toEqual(['Medical'])
    expect(await readdir(folder)).toHaveLength(1)
  })

  test('a member has at most a hundred, here two', async () => {
    const tight = await startTestApp({ env: { RATE_LIMIT_FACTOR: '0.02', DATA_DIR: directory } })
    try {
      const { student, dispatcher, renter } = await buildSchool(tight)
      const status = async (by: Member) =>
        (
          await tight.call('POST', '/documents', {
            token: by.token,
            body: { ...medical, orgUserId: student.orgUserId },
          })
        ).statusCode
      expect([await status(student), await status(dispatcher)]).toEqual([201, 201])
      expect((await tight.call('POST', '/documents', { token: renter.token, body: medical })).statusCode).toBe(201)
      expect(await status(student)).toBe(429)
    } finally {
      await tight.close()
    }
  })
})

describe('the room for files (§Documents)', () => {
  let usual: TestApp
  beforeAll(async () => {
    usual = api
    api = await startTestApp({
      env: { RATE_LIMIT_FACTOR: '1', DATA_DIR: directory, PUBLIC_URL: 'https://fly.example' },
    })
  })
  afterAll(async () => {
    await api.close()
    api = usual
  })

  const GIB = 1024 ** 3
  const post201 = async (by: Member) => expect((await post(by)).statusCode).toBe(201)
  /** Adds documents whose files are stored, so many bytes together. */
  const stored = async (bytes: number, { organizationId, student } = school) => {
    const parts = Math.ceil(bytes / GIB)
    const ids: number[] = []
    for (let part = 0; part < parts; part += 1) ids.push((await add(student)).id)
    const table = api.core.database.db.updateTable('document').where('organization_id', '=', organizationId)
    await table
      .set({ upload: 'stored', size_bytes: bytes / parts })
      .where('id', 'in', ids)
      .execute()
  }
  const later = (hours: number) => {
    api.clock.now = new Date(api.clock.now.getTime() + hours * 3_600_000)
  }
  const refused = async (by: Member) => {
    const { statusCode, headers, json } = await post(by)
    return [statusCode, Number(headers['retry-after']), json().message]
  }

  test('is 1 GiB a day, and again when the day is over', async () => {
    await stored(GIB - pdf.length)
    await post201(school.student)
    later(1)
    await stored(pdf.length)
    expect(await refused(school.renter)).toEqual([429, 82_800, expect.stringContaining('1 GiB')])
    later(23)
    await post201(school.renter)
  })

  test('is 20 GiB in all, until something is deleted', async () => {
    await stored(20 * GIB)
    later(48)
    expect(await refused(school.renter)).toEqual([429, 86_400, expect.stringContaining('20 GiB')])
    const [newest] = await expectOk<Document[]>(api, school.student, 'GET', '/documents')
    expect(await statusOf(school.student, 'DELETE', newest?.id ?? 0)).toBe(204)
    await post201(school.renter)
  })

  test('is that of all organizations of an owner together', async () => {
    await stored(GIB)
    const other = await buildSchool(api)
    await post201(other.student)
    const change = { account_id: school.owner.accountId }
    const { db } = api.core.database
    await db.updateTable('membership').set(change).where('id', '=', other.owner.orgUserId).execute()
    expect((await post(other.student)).statusCode).toBe(429)
  })

  test('counts a file by its bytes when it arrives, and refuses one that does not fit any more', async () => {
    const [first, second] = [await post(school.student), await post(school.renter)].map((response) => response.json())
    expect(await upload(first.signedUrlData[0], pdf)).toBe(204)
    const rows = api.core.database.db.selectFrom('document').select('size_bytes').where('id', '=', first.data.id)
    expect(await rows.execute()).toEqual([{ size_bytes: pdf.length }])
    await stored(GIB - 2 * pdf.length)
    expect(await upload(second.signedUrlData[0], pdf)).toBe(429)
  })

  test('is 200 files a day, here four, of an organization', async () => {
    const tight = await startTestApp({ env: { RATE_LIMIT_FACTOR: '0.02', DATA_DIR: directory } })
    try {
      const { student, renter, instructor } = await buildSchool(tight)
      const status = async (by: Member) => (await tight.as(by).post('/documents', medical)).statusCode
      const answers = [student, student, renter, renter].map(status)
      expect(await Promise.all(answers)).toEqual([201, 201, 201, 201])
      expect(await status(instructor)).toBe(429)
    } finally {
      await tight.close()
    }
  })
})

describe('the audit log about documents (§Documents)', () => {
  interface Entry {
    action: string
    actor: { orgUserId: number }
    before: object | null
    after: object | null
  }
  const actions = async (id: number) =>
    (await expectOk<Entry[]>(api, school.admin, 'GET', `/audit?subject=document:${id}`)).map(({ action, actor }) => [
      action,
      actor.orgUserId,
    ])

  test('says who added, rejected, verified, changed and deleted one, and not what it says', async () => {
    const { student, dispatcher } = school
    const { id } = await addWithFile(student, { category: 'contract', expiresAt: '2027-01-01T00:00:00Z' })
    await expectOk(api, dispatcher, 'PATCH', `/documents/${id}`, { status: 'rejected', notes: 'Cut off.' })
    await expectOk(api, dispatcher, 'PATCH', `/documents/${id}`, { status: 'verified', notes: null })
    await expectOk(api, student, 'PATCH', `/documents/${id}`, { expiresAt: '2099-01-01T00:00:00Z' })
    expect(await statusOf(student, 'DELETE', id)).toBe(204)
    expect(await actions(id)).toEqual([
      ['document.deleted', student.orgUserId],
      ['document.changed', student.orgUserId],
      ['document.verified', dispatcher.orgUserId],
      ['document.rejected', dispatcher.orgUserId],
      ['document.created', student.orgUserId],
    ])
    const [, changed] = await expectOk<Entry[]>(api, school.admin, 'GET', `/audit?subject=document:${id}`)
    const about = { orgUserId: student.orgUserId, category: 'contract' }
    expect([changed?.before, changed?.after]).toEqual([
      { ...about, status: 'verified' },
      { ...about, status: 'pending' },
    ])
  })

  test('says once a day who read another’s medical or identification, in a list or by itself, and nothing of others', async () => {
    const { student, dispatcher, admin } = school
    const { id } = await add(student)
    const { id: contract } = await add(student, { category: 'contract' })
    const read = (by: Member, path: string) => expectOk(api, by, 'GET', `/documents${path}`)
    for (const path of ['', `/${id}`, `/${contract}`]) await read(student, path)
    for (const path of ['', `/${id}`, `/${contract}`]) await read(dispatcher, path)
    await read(admin, `/${id}`)
    expect((await actions(id)).slice(0, -1)).toEqual([
      ['document.read', admin.orgUserId],
      ['document.read', dispatcher.orgUserId],
    ])
    expect(await actions(contract)).toHaveLength(1)
    api.clock.now = new Date(api.clock.now.getTime() + 86_400_000)
    await read(dispatcher, `/${id}`)
    expect(await actions(id)).toHaveLength(4)
  })
})

describe('what the desk finds of a document (§Documents)', () => {
  const change = (by: Member, id: number, body: object) =>
    api.call('PATCH', `/documents/${id}`, { token: by.token, body })
  const verified = async (by: Member = school.student) => {
    const { id } = await addWithFile(by)
    await expectOk(api, school.dispatcher, 'PATCH', `/documents/${id}`, { status: 'verified' })
    return id
  }

  test('is who verified it and when, or that it was rejected and why', async () => {
    const { id } = await addWithFile(school.student)
    const { orgUserId, name } = school.dispatcher
    const rejected = await expectOk(api, school.dispatcher, 'PATCH', `/documents/${id}`, {
      status: 'rejected',
      notes: 'Cut off.',
    })
    expect(rejected).toMatchObject({ status: 'rejected', notes: 'Cut off.', verifiedBy: null, verifiedAt: null })
    expect(await expectOk(api, school.student, 'GET', `/documents/${id}`)).toEqual(rejected)
    expect(
      await expectOk(api, school.dispatcher, 'PATCH', `/documents/${id}`, { status: 'verified', notes: null }),
    ).toMatchObject({
      status: 'verified',
      notes: null,
      verifiedBy: { orgUserId, name },
      verifiedAt: '2026-11-21T12:00:00.000Z',
    })
    expect(await titles(school.admin, '?status=verified')).toEqual(['Medical'])
    expect(await titles(school.admin, '?status=rejected')).toEqual([])
  })

  test('is for desk staff to say, and for nobody of their own', async () => {
    const { id } = await addWithFile(school.student)
    const own = await addWithFile(school.dispatcher)
    for (const body of [{ status: 'verified' }, { status: 'pending' }, { notes: 'Fine' }]) {
      expect((await change(school.student, id, body)).statusCode).toBe(403)
      expect((await change(school.dispatcher, own.id, body)).statusCode).toBe(403)
      expect((await change(school.admin, own.id, body)).statusCode).toBe(200)
    }
    expect((await change(school.admin, id, { status: 'lost' })).statusCode).toBe(400)
  })

  test.each<[string, object, boolean]>([
    ['the end', { expiresAt: '2099-01-01T00:00:00Z' }, true],
    ['the category', { category: 'identification' }, true],
    ['the file', { fileName: 'new.png' }, true],
    ['the title', { title: 'Third class' }, false],
    ['the end as it was', { expiresAt: null, category: 'medical' }, false],
  ])('holds until its member or the desk changes %s by %o: pending again %s', async (_what, body, pending) => {
    const id = await verified()
    const status = pending ? 'pending' : 'verified'
    expect((await change(school.student, id, body)).json().data.status).toBe(status)
    if (pending) expect((await change(school.student, id, {})).json().data).toMatchObject({ verifiedBy: null })
    const byTheDesk = await verified()
    expect((await change(school.dispatcher, byTheDesk, body)).json().data.status).toBe(status)
  })

  test('keeps a verified one from its member, and not from the desk', async () => {
    const id = await verified()
    const refused = await api.call('DELETE', `/documents/${id}`, { token: school.student.token })
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'DOCUMENT_VERIFIED'])
    expect(await statusOf(school.dispatcher, 'DELETE', id)).toBe(204)
  })

  test('is of the file that was there: verified, its form takes nothing any more', async () => {
    const { data, signedUrlData } = (await post(school.student)).json()
    const early = await change(school.dispatcher, data.id, { status: 'verified' })
    expect([early.statusCode, early.json().code]).toEqual([409, 'FILE_MISSING'])
    expect(await titles(school.admin, '?status=verified')).toEqual([])
    expect(await upload(signedUrlData[0], pdf)).toBe(204)
    await expectOk(api, school.dispatcher, 'PATCH', `/documents/${data.id}`, { status: 'verified' })
    expect(await upload(signedUrlData[0], pdf)).toBe(403)
    const replaced = await change(school.dispatcher, data.id, { status: 'verified', fileName: 'new.pdf' })
    expect(replaced.json().code).toBe('FILE_MISSING')
  })

  test('waits for the end of an upload where the storage takes it until then', async () => {
    const { id } = await add(school.student)
    const { organizationId, dispatcher } = school
    const by: Actor = {
      ...dispatcher,
      organizationId,
      emailVerified: true,
      roles: roleFlags({ dispatcher: true }),
      organization: { name: 'School', demo: false, timeZoneName: 'UTC', settings: readSettings({}) },
    }
    const verify = (minutes: number) => {
      const now = new Date(api.clock.now.getTime() + minutes * 60_000)
      const useCase = (tx: Tx) =>
        updateDocument(tx, by, id, { status: 'verified' }, { formsEndAtOnce: false, has: async () => true })
      return inTransaction(api.core.database, () => now, useCase)
    }
    await expect(verify(44)).rejects.toMatchObject({ code: 'UPLOAD_OPEN' })
    await verify(45)
    expect(await titles(school.admin, '?status=verified')).toEqual(['Medical'])
  })

  test('is of one file at a time: a new one takes the place of the present one, which is gone', async () => {
    const id = await verified()
    const folder = join(directory, 'uploads', String(school.organizationId))
    const answer = (await change(school.student, id, { fileName: 'new.pdf' })).json()
    expect(answer.data).toMatchObject({ fileName: 'new.pdf', url: null, status: 'pending' })
    await workers.settled()
    expect(await readdir(folder)).toEqual([])
    expect(await upload(answer.signedUrlData[0], pdf)).toBe(204)
    expect((await expectOk<Document>(api, school.student, 'GET', `/documents/${id}`)).url).not.toBeNull()
  })
})

describe('the document of a currency (§Documents)', () => {
  const record = (by: Member, currency: number, documentId?: number | null) =>
    api.as(by).put(`/orgUsers/${school.student.orgUserId}/currencies/${currency}`, {
      completedAt: '2026-01-10T00:00:00Z',
      expiresAt: '2027-01-10T00:00:00Z',
      documentId,
    })
  const currency = async () =>
    (await expectOk<Document>(api, school.admin, 'POST', '/currencies', { name: 'Medical', kind: 'expiring' })).id
  const shown = async () =>
    (await expectOk<{ documentId: number }[]>(api, school.student, 'GET', '/currencies/me'))[0]?.documentId

  test('is named when the date is recorded, replaced with it, and null once it is deleted, and the dates stay', async () => {
    const rule = await currency()
    const { id } = await add(school.student)
    expect((await record(school.instructor, rule, id)).json().data).toMatchObject({ documentId: id })
    expect(await shown()).toBe(id)
    expect((await record(school.instructor, rule)).json().data.documentId).toBeNull()
    await record(school.dispatcher, rule, id)
    expect(await statusOf(school.student, 'DELETE', id)).toBe(204)
    expect(await expectOk(api, school.student, 'GET', '/currencies/me')).toMatchObject([
      { documentId: null, expiresAt: '2027-01-10T00:00:00.000Z', status: 'current' },
    ])
  })

  test('is deleted with the organization', async () => {
    const { id } = await add(school.student)
    await record(school.admin, await currency(), id)
    expect((await api.call('DELETE', '/organizations', { token: school.owner.token })).statusCode).toBe(204)
    expect(await api.core.database.db.selectFrom('document').select('id').where('id', '=', id).execute()).toEqual([])
    await workers.settled()
  })

  test('is the member’s own: another member’s, the organization’s and another organization’s are refused', async () => {
    const rule = await currency()
    const elsewhere = await buildSchool(api)
    const foreign = [
      await add(school.renter),
      await add(school.admin, { orgUserId: null }),
      await add(elsewhere.student),
      { id: 2_000_000_000 },
    ]
    for (const { id } of foreign) {
      const response = await record(school.admin, rule, id)
      expect([response.statusCode, response.json().message]).toEqual([400, expect.stringMatching(/^documentId: /)])
    }
    expect(await shown()).toBeNull()
  })
})
