import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test as base, describe, expect } from 'vitest'
import { finalizeUpload } from '../../../../src/shared/platform/storage/storage.jobs.ts'
import { NOW, startTestApp } from '../../../support/app.ts'
import { buildMember, buildPlane, buildSchool, type Member } from '../../../support/builders.ts'
import { startTestWorkers } from '../../../support/workers.ts'

interface FileView {
  id: number
  fileName: string
  url: string | null
}
interface SignedPost {
  url: string
  fields: Record<string, string>
}

const pdf = Buffer.from('%PDF-1.7\nsome pages\n%%EOF')

const test = base
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of fixtures from the pattern.
  .extend('directory', { scope: 'file' }, async ({}, { onCleanup }) => {
    const directory = await mkdtemp(join(tmpdir(), 'flightline-files-'))
    onCleanup(() => rm(directory, { recursive: true, force: true }))

    return directory
  })
  .extend('api', { scope: 'file' }, async ({ directory }, { onCleanup }) => {
    const api = await startTestApp({ env: { DATA_DIR: directory, PUBLIC_URL: 'https://fly.example' } })
    onCleanup(() => api.close())

    return api
  })
  .extend('address', { scope: 'file' }, ({ api }) => api.app.listen({ port: 0, host: '127.0.0.1' }))
  .extend('workers', { scope: 'file' }, async ({ api }, { onCleanup }) => {
    const workers = await startTestWorkers(api, { queues: ['upkeep', 'email'] })
    onCleanup(() => workers.stop())

    return workers
  })
  .extend('school', { scope: 'file' }, ({ api }) => buildSchool(api))
  .extend('plane', { auto: true }, async ({ api, school }) => {
    api.clock.now = NOW
    const plane = await buildPlane(api, school)

    return plane
  })

  .extend(
    'url',
    ({ plane }) =>
      (rest = '') =>
        `/resources/${plane.id}/files${rest}`,
  )

  .extend(
    'arrange',
    ({ school, api, url }) =>
      (body: object, by: Member = school.technician, headers = {}) =>
        api.call('POST', url(), { token: by.token, body, headers }),
  )

  .extend(
    'list',
    ({ api, url }) =>
      async (by: Member, query = ''): Promise<FileView[]> =>
        (await api.as(by).get(url(query))).json().data,
  )

  .extend(
    'arrangeOne',
    ({ arrange }) =>
      async (fileName = 'poh.pdf', category = 'poh'): Promise<{ file: FileView; signed: SignedPost }> => {
        const { data, signedUrlData } = (await arrange({ category, fileNames: [fileName] })).json()
        return { file: data[0], signed: signedUrlData[0] }
      },
  )

  /** The service's own address is another one in these tests than the one it gives out. */
  .extend(
    'here',
    ({ address }) =>
      (link: string) =>
        link.replace('https://fly.example', address),
  )

  .extend('upload', ({ here }) => ({ url: to, fields }: SignedPost, bytes: Buffer, name = 'file') => {
    const form = new FormData()
    for (const [key, value] of Object.entries(fields)) form.set(key, value)
    form.set(name, new Blob([new Uint8Array(bytes)]), 'x.pdf')
    return fetch(here(to), { method: 'POST', body: form })
  })

describe('uploading files of a resource (§Resources)', () => {
  test('answers rows and signed uploads in the order of the names, and the bytes come back through the link', async ({
    arrange,
    school,
    upload,
    list,
    here,
  }) => {
    const response = await arrange({ category: 'poh', label: 'Handbook', fileNames: ['b.pdf', 'a.PNG'] })
    expect(response.statusCode).toBe(201)
    const { data, signedUrlData } = response.json()
    expect(data).toEqual([
      {
        id: expect.any(Number),
        category: 'poh',
        visibility: 'bookers',
        expiresAt: null,
        label: 'Handbook',
        fileName: 'b.pdf',
        contentType: 'application/pdf',
        url: null,
        uploadedBy: { orgUserId: school.technician.orgUserId, name: school.technician.name },
        createdAt: '2026-11-21T12:00:00.000Z',
        updatedAt: expect.any(String),
      },
      expect.objectContaining({ fileName: 'a.PNG', contentType: 'image/png' }),
    ])
    expect(signedUrlData.map(({ fields }: SignedPost) => fields['Content-Type'])).toEqual([
      'application/pdf',
      'image/png',
    ])

    expect((await upload(signedUrlData[0], pdf)).status).toBe(204)
    const [stored, awaited] = await list(school.student)
    expect(awaited?.url).toBeNull()
    const answer = await fetch(here(stored?.url ?? ''))
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/pdf')
    expect(answer.headers.get('content-disposition')).toContain('filename="b.pdf"')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(pdf)
  })

  test('accepts a large file, and refuses one above 25 MiB', async ({ arrangeOne, upload }) => {
    const { signed } = await arrangeOne()
    const largest = Buffer.concat([pdf, Buffer.alloc(25 * 1024 * 1024 - pdf.length)])
    expect((await upload(signed, largest)).status).toBe(204)
    const other = await arrangeOne()
    const tooLarge = await upload(other.signed, Buffer.concat([largest, Buffer.from('x')]))
    expect(tooLarge.status).toBe(413)
    expect(await tooLarge.json()).toEqual({ message: expect.any(String) })
  })

  test('refuses bytes of another type, and the link stays null', async ({ arrangeOne, upload, list, school }) => {
    const { file, signed } = await arrangeOne()
    const refused = await upload(signed, Buffer.from('<svg onload="alert(1)"/>'))
    expect(refused.status).toBe(400)
    expect((await list(school.student)).find(({ id }) => id === file.id)?.url).toBeNull()
  })

  test('refuses a form that differs from what was signed', async ({ arrangeOne, upload }) => {
    const { signed } = await arrangeOne()
    const other = await arrangeOne()
    const change = (fields: Record<string, string>) => ({ ...signed, fields: { ...signed.fields, ...fields } })
    expect((await upload(change({ key: other.signed.fields.key ?? '' }), pdf)).status).toBe(403)
    expect((await upload(change({ 'Content-Type': 'text/html' }), pdf)).status).toBe(403)
    expect((await upload(change({ signature: 'AAAA' }), pdf)).status).toBe(403)
  })

  test('ends 15 minutes after it was signed', async ({ arrangeOne, api, upload }) => {
    const { signed } = await arrangeOne()
    api.clock.now = new Date('2026-11-21T12:15:00Z')
    expect((await upload(signed, pdf)).status).toBe(403)
  })

  test('works once for one form, also for five who post at once', async ({
    arrangeOne,
    upload,
    list,
    school,
    here,
  }) => {
    const { file, signed } = await arrangeOne()
    const others = Array.from({ length: 5 }, (_, place) => Buffer.concat([pdf, Buffer.from(String(place))]))
    const answers = await Promise.all(others.map((bytes) => upload(signed, bytes)))
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 403, 403, 403, 403])
    const first = others[answers.findIndex(({ status }) => status === 204)]
    expect((await upload(signed, pdf)).status).toBe(403)
    const link = (await list(school.student)).find(({ id }) => id === file.id)?.url ?? ''
    expect(Buffer.from(await (await fetch(here(link))).arrayBuffer())).toEqual(first)
  })

  test('refuses the form of a deleted file', async ({ arrangeOne, api, school, url, upload }) => {
    const { file, signed } = await arrangeOne()
    await api.as(school.admin).delete(url(`/${file.id}`))
    expect((await upload(signed, pdf)).status).toBe(403)
  })

  test('ends when its author loses the role that it needed or is removed', async ({ school, api, upload, workers }) => {
    const { organizationId, admin, location } = school
    const keeper = await buildMember(api, organizationId, ['technician', 'dispatcher'])
    const others = await buildPlane(api, { organizationId, location })
    const arranged = async (path: string, body: object) =>
      (await api.as(keeper).post(path, body)).json().signedUrlData[0] as SignedPost
    const onPlane = () => arranged(`/resources/${others.id}/files`, { category: 'poh', fileNames: ['a.pdf'] })
    const paper = (orgUserId?: number) =>
      arranged('/documents', { title: 'Paper', category: 'other', fileName: 'a.pdf', ...(orgUserId && { orgUserId }) })
    const [kept, used] = [await onPlane(), await onPlane()]
    const [own, theirs] = [await paper(), await paper(school.student.orgUserId)]
    const put = (body: object) => api.as(admin).patch(`/users/${keeper.accountId}/roles`, body)
    expect((await upload(used, pdf)).status).toBe(204)
    await put({ technician: true })
    expect((await upload(theirs, pdf)).status).toBe(403)
    const late = await onPlane()
    expect((await upload(kept, pdf)).status).toBe(204)
    await put({ renter: true })
    expect((await upload(late, pdf)).status).toBe(403)
    expect((await upload(own, pdf)).status).toBe(204)
    const last = await paper()
    expect((await api.call('DELETE', `/orgUsers/${keeper.orgUserId}`, { token: admin.token })).statusCode).toBe(204)
    expect((await upload(last, pdf)).status).toBe(403)
    await workers.settled()
    const files = (await api.as(admin).get(`/resources/${others.id}/files`)).json().data
    expect(files.map((file: FileView) => file.url !== null)).toEqual([true, true, false])
  })

  test('drops what object storage received under a form that had ended', async ({
    arrangeOne,
    school,
    workers,
    directory,
    list,
  }) => {
    const { file, signed } = await arrangeOne()
    const settle = async () => {
      await workers.run((tx) =>
        tx.enqueue(finalizeUpload, { organizationId: school.organizationId, table: 'resource_file', fileId: file.id }),
      )
    }
    await settle()
    const path = join(directory, 'uploads', signed.fields.key ?? '')
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, pdf)
    await settle()
    await expect(stat(path)).rejects.toThrow('ENOENT')
    expect((await list(school.student))[0]?.url).toBeNull()
  })

  test('allows at most 50 files that are arranged and not sent, however many ask at once, without sent ones and ended forms', async ({
    api,
    upload,
  }) => {
    const { student, admin, plane: one } = await buildSchool(api)
    const more = (fileNames: string[]) =>
      api.as(admin).post(`/resources/${one.id}/files`, { category: 'poh', fileNames })
    const paper = () => api.as(student).post('/documents', { title: 'Medical', category: 'medical', fileName: 'm.pdf' })
    const five = ['1.pdf', '2.pdf', '3.pdf', '4.pdf', '5.pdf']
    const papers = await Promise.all(Array.from({ length: 4 }, paper))
    const answers = await Promise.all(Array.from({ length: 12 }, () => more(five)))
    expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(9)
    const refused = answers.filter(({ statusCode }) => statusCode === 429)
    expect(refused).toHaveLength(3)
    expect(refused[0]?.headers['retry-after']).toBe('900')
    expect((await more(['last.pdf'])).statusCode).toBe(201)
    expect((await paper()).statusCode).toBe(429)
    expect((await upload(papers[0]?.json().signedUrlData[0], pdf)).status).toBe(204)
    expect((await paper()).statusCode).toBe(201)
    expect((await paper()).statusCode).toBe(429)
    api.clock.now = new Date('2026-11-21T12:15:00Z')
    expect((await paper()).statusCode).toBe(201)
  })

  test('answers a link that ends after 15 minutes', async ({ arrangeOne, upload, list, school, api, here }) => {
    const { signed } = await arrangeOne()
    await upload(signed, pdf)
    const [file] = await list(school.student)
    api.clock.now = new Date('2026-11-21T12:15:00Z')
    expect((await fetch(here(file?.url ?? ''))).status).toBe(403)
  })

  test('refuses a malformed form, and the connection stays open', async ({ arrangeOne, here, upload }) => {
    const { signed } = await arrangeOne()
    const post = (body: string | FormData, type?: string) =>
      fetch(here(signed.url), { method: 'POST', body, ...(type && { headers: { 'content-type': type } }) })
    expect((await upload(signed, pdf, 'other')).status).toBe(400)
    expect((await post('{}', 'application/json')).status).toBe(415)
    expect((await post('no form', 'multipart/form-data')).status).toBe(400)
    expect((await post('--x\r\nbroken', 'multipart/form-data; boundary=x')).status).toBe(400)
    const withoutFile = new FormData()
    withoutFile.set('key', 'x')
    expect((await post(withoutFile)).status).toBe(400)
    expect((await upload(signed, pdf)).status).toBe(204)
  })

  test('leaves nothing behind when a client disconnects in the middle', async ({ arrangeOne, address, directory }) => {
    const { signed } = await arrangeOne()
    const parts = Object.entries({ ...signed.fields })
      .map(([name, value]) => `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
      .join('')
    const socket = connect(Number(new URL(address).port), '127.0.0.1')
    socket.write(
      `POST /uploads HTTP/1.1\r\nhost: x\r\ncontent-type: multipart/form-data; boundary=x\r\ncontent-length: 100000\r\n\r\n${parts}` +
        `--x\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-1.7 and then`,
    )
    const arriving = () => readdir(join(directory, 'uploads', 'arriving'))
    await expect.poll(arriving).toHaveLength(1)
    socket.destroy()
    await expect.poll(arriving).toEqual([])
  })

  test('signs the same rows again for a replay under an Idempotency-Key', async ({ arrange, school, list }) => {
    const body = { category: 'other', fileNames: ['a.pdf'] }
    const headers = { 'idempotency-key': 'files-1' }
    const first = (await arrange(body, school.admin, headers)).json()
    const again = await arrange(body, school.admin, headers)
    expect(again.statusCode).toBe(201)
    expect(again.json()).toEqual(first)
    expect(await list(school.admin)).toHaveLength(1)
  })
})

describe('the visibility of a file (§Resources)', () => {
  test.for([
    ['poh', 'bookers'],
    ['weight_and_balance', 'bookers'],
    ['insurance', 'staff'],
    ['form_337', 'staff'],
    ['logbook_scan', 'staff'],
    ['other', 'staff'],
  ] as const)('of %s is %s by default', async ([category, visibility], { arrange }) => {
    const { data } = (await arrange({ category, fileNames: ['a.pdf'] })).json()
    expect(data[0].visibility).toBe(visibility)
    const said = (await arrange({ category, visibility: 'bookers', fileNames: ['a.pdf'] })).json()
    expect(said.data[0].visibility).toBe('bookers')
  })

  test('hides staff files from students and renters, and shows all to staff and technicians', async ({
    arrange,
    list,
    school,
  }) => {
    await arrange({ category: 'poh', fileNames: ['poh.pdf'] })
    await arrange({ category: 'insurance', fileNames: ['policy.pdf'] })
    const names = async (by: Member) => (await list(by)).map(({ fileName }) => fileName)
    for (const role of ['student', 'renter'] as const) expect(await names(school[role])).toEqual(['poh.pdf'])
    for (const role of ['owner', 'admin', 'dispatcher', 'instructor', 'technician'] as const) {
      expect(await names(school[role])).toEqual(['poh.pdf', 'policy.pdf'])
    }
    expect((await list(school.admin, '?sort=fileName&order=desc&limit=1'))[0]?.fileName).toBe('policy.pdf')
  })

  test('is for 40 files in a demo organization, documents included, and 403 beyond', async ({ api }) => {
    const demo = await buildSchool(api, { demo: true })
    const add = (...fileNames: string[]) =>
      api.as(demo.owner).post(`/resources/${demo.plane.id}/files`, { category: 'poh', fileNames })
    const document = { title: 'Policy', category: 'insurance', orgUserId: null, fileName: 'policy.pdf' }
    expect((await api.as(demo.owner).post('/documents', document)).statusCode).toBe(201)
    for (let added = 1; added < 36; added += 5) {
      expect((await add('a.pdf', 'b.pdf', 'c.pdf', 'd.pdf', 'e.pdf')).statusCode).toBe(201)
    }
    expect((await add('a.pdf', 'b.pdf', 'c.pdf', 'd.pdf', 'e.pdf')).statusCode).toBe(403)
    const refused = await add('a.pdf', 'b.pdf', 'c.pdf', 'd.pdf', 'e.pdf')
    expect(refused.json().message).toBe('A demo organization keeps at most 40 files. Please delete some of them first.')
    expect((await api.as(demo.owner).post('/documents', document)).statusCode).toBe(201)
  })
})

describe('changing and deleting a file (§Resources)', () => {
  test('changes its label, category and visibility, and not its bytes', async ({
    arrangeOne,
    upload,
    school,
    api,
    url,
  }) => {
    const { file, signed } = await arrangeOne()
    await upload(signed, pdf)
    const { token } = school.dispatcher
    const body = { category: 'insurance', visibility: 'staff', label: 'Policy', fileName: 'x.html', storageKey: 'x' }
    const changed = await api.call('PATCH', url(`/${file.id}`), { token, body })
    expect(changed.statusCode).toBe(200)
    expect(changed.json().data).toMatchObject({
      id: file.id,
      category: 'insurance',
      visibility: 'staff',
      label: 'Policy',
      fileName: 'poh.pdf',
      url: expect.stringContaining('https://fly.example/uploads/'),
    })
    const cleared = await api.call('PATCH', url(`/${file.id}`), { token, body: { label: null } })
    expect(cleared.json().data).toMatchObject({ category: 'insurance', label: null })
  })

  test('hides a deleted file and drops its bytes', async ({
    arrangeOne,
    upload,
    directory,
    school,
    api,
    url,
    list,
    workers,
  }) => {
    const { file, signed } = await arrangeOne()
    await upload(signed, pdf)
    const folder = join(directory, 'uploads', String(school.organizationId))
    const name = signed.fields.key?.split('/')[1]
    expect(await readdir(folder)).toContain(name)
    const { token } = school.admin
    expect((await api.call('DELETE', url(`/${file.id}`), { token })).statusCode).toBe(204)
    expect(await list(school.admin)).toEqual([])
    expect((await api.call('DELETE', url(`/${file.id}`), { token })).statusCode).toBe(404)
    await workers.settled()
    expect(await readdir(folder)).not.toContain(name)
  })

  test('deletes the files of an aircraft with the aircraft', async ({
    arrangeOne,
    upload,
    school,
    api,
    plane,
    workers,
    directory,
  }) => {
    const { signed } = await arrangeOne()
    await upload(signed, pdf)
    const { token } = school.admin
    expect((await api.call('DELETE', `/resources/${plane.id}`, { token })).statusCode).toBe(204)
    await workers.settled()
    const folder = join(directory, 'uploads', String(school.organizationId))
    expect(await readdir(folder)).not.toContain(signed.fields.key?.split('/')[1])
  })

  test('deletes the files of an organization with the organization', async ({ api, upload, workers, directory }) => {
    const closing = await buildSchool(api)
    const { token } = closing.owner
    const arranged = await api.call('POST', `/resources/${closing.plane.id}/files`, {
      token,
      body: { category: 'poh', fileNames: ['a.pdf'] },
    })
    expect((await upload(arranged.json().signedUrlData[0], pdf)).status).toBe(204)
    expect((await api.call('DELETE', '/organizations', { token })).statusCode).toBe(204)
    await workers.settled()
    expect(await readdir(join(directory, 'uploads'))).not.toContain(String(closing.organizationId))
  })
})

describe('an upload that has ended', () => {
  test.for([
    [true, 'stored'],
    [false, 'missing'],
  ] as const)(
    'is recorded after it was sent: %s is %s',
    async ([sent, upload_], { arrangeOne, upload, api, school, workers, list }) => {
      const { file, signed } = await arrangeOne()
      if (sent) await upload(signed, pdf)
      await workers.run((tx) =>
        tx.enqueue(finalizeUpload, { organizationId: school.organizationId, table: 'resource_file', fileId: file.id }),
      )
      const row = await api.core.database.db
        .selectFrom('resource_file')
        .select('upload')
        .where('id', '=', file.id)
        .executeTakeFirst()
      expect(row?.upload).toBe(upload_)
      expect((await list(school.student))[0]?.url !== null).toBe(sent)
    },
  )
})

describe('a file request that is refused', () => {
  const good = { category: 'poh', fileNames: ['a.pdf'] }
  test.for<[string, object, string]>([
    ['no category', { fileNames: ['a.pdf'] }, 'category'],
    ['an unknown category', { ...good, category: 'music' }, 'category'],
    ['an unknown visibility', { ...good, visibility: 'public' }, 'visibility'],
    ['no names', { category: 'poh' }, 'fileNames'],
    ['an empty list of names', { ...good, fileNames: [] }, 'fileNames'],
    ['six names', { ...good, fileNames: ['1.pdf', '2.pdf', '3.pdf', '4.pdf', '5.pdf', '6.pdf'] }, 'fileNames'],
    ['a drawing', { ...good, fileNames: ['a.pdf', 'b.svg'] }, 'fileNames.1'],
    ['a page', { ...good, fileNames: ['a.html'] }, 'fileNames.0'],
    ['no extension', { ...good, fileNames: ['pdf'] }, 'fileNames.0'],
    ['a folder', { ...good, fileNames: ['../a.pdf'] }, 'fileNames.0'],
    ['a line break', { ...good, fileNames: ['a\r\nb.pdf'] }, 'fileNames.0'],
    ['an endless label', { ...good, label: 'x'.repeat(201) }, 'label'],
  ])('is 400 naming the field for %s', async ([_what, body, field], { arrange }) => {
    const response = await arrange(body)
    expect(response.statusCode).toBe(400)
    expect(response.json().message).toMatch(new RegExp(`^${field.replaceAll('.', '\\.')}: `))
  })

  test('is 404 for a file of another aircraft', async ({ arrangeOne, api, school }) => {
    const { file } = await arrangeOne()
    const other = `/resources/${(await buildPlane(api, school)).id}/files/${file.id}`
    expect((await api.as(school.admin).patch(other, { label: 'x' })).statusCode).toBe(404)
    expect((await api.as(school.admin).delete(other)).statusCode).toBe(404)
  })

  test('is 400 for a link without its parts, and 403 for a link to nothing', async ({ address }) => {
    expect((await fetch(`${address}/uploads/1/a.pdf`)).status).toBe(400)
    expect((await fetch(`${address}/uploads/1/a.pdf?fileName=a&expires=9999999999&signature=x`)).status).toBe(403)
  })
})
