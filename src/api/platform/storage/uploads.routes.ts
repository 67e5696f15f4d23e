import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { roomErrors } from '../../../shared/identity/identity.errors.ts'
import { assertHasRoomForFiles } from '../../../shared/identity/members/stored-bytes.access.ts'
import { contentDisposition, MAX_OBJECT_BYTES } from '../../../shared/platform/adapters/storage/file-types.ts'
import { networkOf } from '../../../shared/platform/kernel/networks.ts'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import { takeUpload } from '../../../shared/platform/storage/upload-forms.ts'
import { httpErrors } from '../../http/http.errors.ts'
import type { Services } from '../../http/services.ts'
import { FORM_BYTES, readUploadForm } from './read-form.ts'

const tag = 'Uploads'
const LinkParams = z.object({ organizationId: z.string().max(10), name: z.string().max(60) })
const LinkQuery = z.object({
  fileName: z.string().max(255),
  expires: z.string().max(12),
  signature: z.string().max(64),
})

const signed = (what: string) => z.string().describe(`${what}. From the \`fields\` of the signed upload`)

/** A form as the document shows it. `readUploadForm` reads it. */
const UploadForm = z.object({
  key: signed('The name of the file in the storage'),
  'Content-Type': signed('The media type of the file'),
  policy: signed('What may be uploaded, and until when'),
  signature: signed('The signature of the policy'),
  file: z.string().meta({ format: 'binary' }).describe('The file. It is the last part'),
})

/**
 * Mounts the upload and download routes of the service's own storage. They need no token, because the signature
 * authorizes the request. They are not mounted with external object storage.
 */
export async function installUploads(app: FastifyInstance, services: Services): Promise<void> {
  const { own } = services.storage
  if (!own) return
  const countAddress = (request: FastifyRequest, reply: FastifyReply) =>
    services.rateLimits.consume(reply, [['address', networkOf(request.ip)]])

  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null))
    scope.addContentTypeParser('*', (_request, _payload, done) => done(platformErrors.notMultipart()))
    scope.post(
      '/uploads',
      {
        onRequest: countAddress,
        config: {
          endpoint: {
            id: 'uploadFile',
            access: 'anyone',
            tag,
            summary: 'Upload a file',
            description:
              'Takes one file as `multipart/form-data`: first all `fields` of the signed upload unchanged, then the file as ' +
              '`file`. The signature fixes size, type, key and expiry, and the content must match the type. A signed upload ' +
              'works once; failed attempts do not use it up.',
            rawBody: { media: 'multipart/form-data', schema: UploadForm },
            answers: { 204: null },
            errors: [
              platformErrors.severalFiles,
              platformErrors.fileMissing,
              platformErrors.formUnreadable,
              platformErrors.fileOfOtherType,
              platformErrors.uploadNotArranged,
              platformErrors.uploadExpired,
              platformErrors.formChanged,
              platformErrors.uploadUsed,
              [httpErrors.bodyLate, 'the form did not arrive within 120 seconds'],
              platformErrors.fileTooLarge,
              platformErrors.fileLargerThanArranged,
              platformErrors.notMultipart,
              ...roomErrors,
              platformErrors.storageFull,
            ],
          },
        },
      },
      async (request, reply) => {
        const bytes = Number(request.headers['content-length'] ?? MAX_OBJECT_BYTES)
        if (bytes > MAX_OBJECT_BYTES + FORM_BYTES) throw platformErrors.fileTooLarge()
        const { clock, config, database } = services
        await readUploadForm(request.raw, async (fields, file) => {
          const now = clock()
          const policy = own.admit(fields, now)
          const room = { now, bytes, factor: config.RATE_LIMIT_FACTOR }
          await assertHasRoomForFiles(database.db, Number(policy.key.split('/')[0]), room)
          await takeUpload(database.db, own, policy, file)
        })
        return reply.code(204).send()
      },
    )
  })

  app.get(
    '/uploads/:organizationId/:name',
    {
      onRequest: countAddress,
      config: {
        endpoint: {
          id: 'downloadFile',
          access: 'anyone',
          tag,
          summary: 'Download a file through a signed link',
          description: 'Returns the file of a signed link: the `url` of a file, valid for 15 minutes.',
          params: LinkParams,
          query: LinkQuery,
          answers: { 200: null },
          media: 'application/octet-stream',
          errors: [[platformErrors.linkExpired, 'or the signature is wrong']],
        },
      },
      schema: { params: LinkParams, querystring: LinkQuery },
    },
    async (request, reply) => {
      const { organizationId, name } = request.params as z.output<typeof LinkParams>
      const query = request.query as z.output<typeof LinkQuery>
      const object = await own.open({ ...query, key: `${organizationId}/${name}` }, services.clock())
      return reply
        .type(object.contentType)
        .headers({
          'content-length': String(object.size),
          'content-disposition': contentDisposition(object.fileName),
          'cache-control': 'private, max-age=900',
          'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
        })
        .send(object.content)
    },
  )
}
