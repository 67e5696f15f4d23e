import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { JsonSchema } from '../../src/api/http/json-schema.ts'
import { exampleOfAnswer } from '../../src/api/reference/document.ts'
import {
  type Document,
  jsonOf,
  type Operation,
  operationsOf,
  type Parameter,
  readDocument,
  responseOf,
  writtenOut,
} from '../contract/support/document.ts'
import { nameless, routeTable } from '../contract/support/route-table.ts'
import { startTestApp, type TestApp } from '../support/app.ts'

let api: TestApp
let document: Document
let operations: Operation[]
beforeAll(async () => {
  api = await startTestApp()
  document = await readDocument(api)
  operations = operationsOf(document)
})
afterAll(() => api.close())

/** What the app serves besides the interface: the reference, the pages of operators, and those that mails link to. */
const outside =
  /^[A-Z]+ (\/docs|\/openapi\.json$|\/metrics$|\/ops\/|\/verify-email$|\/reset-password$|\/invitation$|\/confirm-request$|\/mail-preferences$|\/connected-account$|\/offer$|\/stalled-students$|\/mail\/unsubscribe\/)/

/** Operations beside the regulations: what a school decides, and how its own records are edited. */
const ofTheSchool = new Set([
  'readOutlook',
  // A file of a squawk, and a reminder that is no longer wanted.
  ...['deleteSquawkFile', 'deleteMaintenanceReminder'],
  // When the shop has time.
  'findShopSlots',
  'deleteCurrency',
  // The parts of a draft, which binds nobody, and when a version takes students.
  ...[
    'listCourses',
    'replaceGradingScale',
    'putStage',
    'deleteStage',
    'putLesson',
    'deleteLesson',
    'replaceLessonTasks',
  ],
  ...['deleteRequirement', 'retireCourseVersion'],
  // The school's day: fees, and what a booking could be for.
  ...['invoiceEnrollmentFee', 'listLessonCandidates'],
  // Rights beyond the role.
  ...['listTrainingGrants', 'giveTrainingGrant', 'withdrawTrainingGrant', 'listTrainingGrantKinds'],
  'readOwnTrainingGrants',
])

describe('the OpenAPI document', () => {
  test('is valid OpenAPI 3.1', async () => {
    const validator = new Validator()
    const { valid, errors } = await validator.validate(structuredClone(document) as never)
    expect({ valid, errors, version: validator.version }).toEqual({ valid: true, errors: undefined, version: '3.1' })
  })

  test('asks for a token, except where an operation says otherwise', () => {
    expect(document.security).toEqual([{ token: [] }])
    expect(operations.filter(({ security }) => security && security.length > 0)).toEqual([])
  })

  test('names the address of the service', () => {
    expect(document.servers).toEqual([{ url: api.config.PUBLIC_URL }])
  })

  test('describes every tag, and has an operation for each', () => {
    const used = new Set(operations.flatMap(({ tags }) => tags))
    expect(document.tags.map(({ name }) => name).sort()).toEqual([...used].sort())
    expect(document.tags.filter(({ description }) => !description)).toEqual([])
  })

  test('names the rule that each operation of training, flight log, currencies and maintenance goes by', () => {
    const regulated = operations.filter(({ tags }) =>
      tags.some((tag) => ['Training', 'Flight log', 'Currencies', 'Maintenance'].includes(tag)),
    )
    const cited = /\b(14|49) CFR (Part )?\d+|\bAC 61-65/
    const without = regulated.filter(({ summary, description }) => !cited.test(`${summary} ${description}`))
    expect(without.map(({ operationId }) => operationId).sort()).toEqual([...ofTheSchool].sort())
  })

  test('lists exactly the routes that the app answers', () => {
    const documented = operations.map(({ name }) => nameless(name)).sort()
    expect(documented).toEqual(routeTable(api.app).filter((route) => !outside.test(route)))
  })

  test('refers only to what it holds', () => {
    const text = JSON.stringify(document)
    const broken = [...text.matchAll(/"\$ref":"#\/([^"]+)"/g)]
      .map((match) => match[1] ?? '')
      .filter((path) => at(document, path.split('/')) === undefined)
    expect([...new Set(broken)]).toEqual([])
  })
})

describe('every operation of the document', () => {
  test('has an id of its own, a verb first', () => {
    const ids = operations.map(({ operationId }) => operationId)
    expect(ids.filter((id) => !/^[a-z]+([A-Z][a-z]+)*$/.test(id))).toEqual([])
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  })

  test('has a tag, a summary and a description', () => {
    const mute = operations.filter(({ tags, summary, description }) => !tags?.[0] || !summary || !description)
    expect(mute.map(({ name }) => name)).toEqual([])
  })

  test('names its path parameters as its address does', () => {
    const wrong = operations.filter(({ parameters = [], pathParameters }) => {
      const named = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)
      return named.sort().join() !== [...pathParameters].sort().join()
    })
    expect(wrong.map(({ name }) => name)).toEqual([])
  })

  test('types its flags as booleans, and a list in one parameter as an array with commas', () => {
    const inQuery = operations.flatMap(({ name, parameters = [] }) =>
      parameters.filter((one) => one.in === 'query').map((one) => ({ ...one, name: `${name} ${one.name}` })),
    )
    const isFlag = ({ schema }: Parameter) => schema.enum?.join() === 'true,false'
    const hasCommas = ({ schema }: Parameter) => schema.type === 'string' && String(schema.examples?.[0]).includes(',')
    expect(inQuery.filter((one) => isFlag(one) || hasCommas(one)).map(({ name }) => name)).toEqual([])
    const lists = inQuery.filter(({ schema }) => schema.type === 'array')
    expect(lists.length).toBeGreaterThan(5)
    expect(lists.filter((one) => one.style !== 'form' || one.explode !== false || !one.schema.items)).toEqual([])
  })

  test('gives a schema and an example for its body', () => {
    const bare = operations.filter(({ requestBody }) => {
      const json = requestBody && jsonOf(requestBody)
      return requestBody && (!json?.schema || json.example === undefined)
    })
    expect(bare.map(({ name }) => name)).toEqual([])
  })

  test('gives a schema and an example for each success that has a body', () => {
    const bare = operations.flatMap(({ name, responses }) =>
      Object.entries(responses)
        .filter(([status]) => status === '200' || status === '201')
        .filter(([, response]) => {
          const json = jsonOf(response)
          if (json) return !json.schema || exampleOfAnswer(document, json) === undefined
          return response.content === undefined && !mayBeEmpty.includes(name)
        })
        .map(([status]) => `${name} ${status}`),
    )
    expect(bare).toEqual([])
  })

  test('says decimals in words: a validator that computes with floating-point numbers refuses 0.3 as a multiple of 0.1', () => {
    const steps = [...JSON.stringify(document).matchAll(/"multipleOf":([\d.e-]+)/g)].map(([, step]) => Number(step))
    expect(steps.filter((step) => !Number.isInteger(step * 4))).toEqual([])
    expect(JSON.stringify(document)).toContain('At most two decimals.')
  })

  test('gives the error envelope for each error, and one example of it', () => {
    expect(isError((document.components.schemas.ApiError as { example?: unknown }).example)).toBe(true)
    const wrong = operations.flatMap(({ name, responses }) =>
      Object.entries(responses)
        .filter(([status]) => status >= '400' && !(name.startsWith('GET /health') && status === '503'))
        .filter(([, response]) => {
          const json = jsonOf(responseOf(document, response))
          return json?.schema?.$ref !== '#/components/schemas/ApiError'
        })
        .map(([status]) => `${name} ${status}`),
    )
    expect(wrong).toEqual([])
  })

  test('says what a signed-out caller and a wrong id meet', () => {
    const silent = operations.filter(
      ({ security, pathParameters, responses }) =>
        (security === undefined && !responses[401]) ||
        (pathParameters.length > 0 && !(responses[400] && responses[404])),
    )
    expect(silent.map(({ name }) => name)).toEqual([])
  })

  test('has examples that fit their schemas', () => {
    const wrong = operations.flatMap(({ name, requestBody, responses }) => [
      ...(requestBody ? misfits(`${name} body`, jsonOf(requestBody)) : []),
      ...Object.entries(responses)
        .map(([status, response]) => [status, jsonOf(responseOf(document, response)) ?? {}] as const)
        .filter(([, { schema }]) => schema?.$ref !== '#/components/schemas/ApiError')
        .flatMap(([status, json]) =>
          misfits(`${name} ${status}`, { ...json, example: exampleOfAnswer(document, json) }),
        ),
    ])
    expect(wrong).toEqual([])
  })
})

/** Endpoints whose 200 has no body, as the specification says. */
const mayBeEmpty = ['GET /auth/session']

function isError(example: unknown): boolean {
  return typeof (example as { message?: unknown } | undefined)?.message === 'string'
}

function misfits(what: string, media: { schema?: JsonSchema; example?: unknown } | undefined): string[] {
  if (!media?.schema) return []
  const { success, error } = z.fromJSONSchema(writtenOut(document, media.schema) as never).safeParse(media.example)
  return success
    ? []
    : [`${what}: ${error.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join('; ')}`]
}

function at(value: unknown, path: string[]): unknown {
  return path.reduce<unknown>((found, key) => (found as Record<string, unknown> | undefined)?.[key], value)
}
