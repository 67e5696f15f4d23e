import Fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { ListedRows } from '../../../src/api/http/answers.ts'
import { listBytes } from '../../../src/api/http/list-bytes.ts'
import { envelope } from '../../../src/api/http/schemas.ts'
import { serializerCompiler } from '../../../src/api/http/serializer.ts'

const Row = z.object({ id: z.int(), name: z.string() })
const idsTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1)
/** Has more than the schema, and a letter of two bytes. */
const view = (id: number) => ({ name: `Zoë ${id}`, secret: 'x', id })
const rowText = (id: number) => `{"id":${id},"name":"Zoë ${id}"}`

/** Returns what a server with the serializer of the service answers for a list. */
async function answered(list: ListedRows<number>, beside?: object) {
  const app = Fastify()
  app.setSerializerCompiler(serializerCompiler as never)
  const answer = envelope(z.array(Row), { totals: z.array(z.string()).optional() })
  app.get('/', { schema: { response: { 200: answer } } }, async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(listBytes(reply, list, beside)),
  )
  return app.inject('/')
}

describe('the bytes of a list', () => {
  test.each([0, 1, 49, 50, 51, 100, 101, 1_000])('of %i rows are those of the rows in one text', async (count) => {
    const response = await answered({ rows: idsTo(count), view })
    const text = `{"data":[${idsTo(count).map(rowText).join(',')}]}`
    expect(response.body).toBe(text)
    expect(response.headers['content-length']).toBe(String(Buffer.byteLength(text)))
  })

  test('end with the fields beside the rows', async () => {
    const response = await answered({ rows: idsTo(51), view }, { totals: ['1.5 h', 'Zoë'], secret: 'x' })
    expect(response.body).toBe(`{"data":[${idsTo(51).map(rowText).join(',')}],"totals":["1.5 h","Zoë"]}`)
    expect((await answered({ rows: [], view }, { totals: [] })).body).toBe('{"data":[],"totals":[]}')
  })

  test('go on with the rest, while it is read', async () => {
    async function* rest() {
      yield [52, 53]
      yield []
      yield idsTo(160).slice(53)
    }
    const response = await answered({ rows: idsTo(51), view, rest: rest() })
    expect(response.body).toBe(`{"data":[${idsTo(160).map(rowText).join(',')}]}`)
    expect(response.headers['content-length']).toBeUndefined()
  })

  test('are made of fifty rows at a time: the 51st is looked at when the text of the 50th is made', async () => {
    const steps: string[] = []
    const watched = (id: number) => {
      steps.push(`view ${id}`)
      return Object.defineProperty({ name: 'x' }, 'id', { get: () => steps[steps.push(`text ${id}`)] ?? id })
    }
    await answered({ rows: idsTo(101), view: watched })
    const place = (step: string) => steps.indexOf(step)
    expect(place('view 50')).toBeLessThan(place('text 1'))
    expect(place('text 50')).toBeLessThan(place('view 51'))
    expect(place('text 100')).toBeLessThan(place('view 101'))
  })

  test('are refused when a row lacks a field of the schema', async () => {
    const response = await answered({ rows: idsTo(60), view: (id) => (id === 60 ? { id } : view(id)) })
    expect(response.statusCode).toBe(500)
    expect(response.json().message).toBe('"name" is required!')
  })
})
