import { describe, expect, test } from 'vitest'
import { MOST_NAMES, MOST_VALUES, problemOfShape } from '../../../src/api/http/json-shape.rules.ts'

const named = (count: number) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 1])))
const listed = (count: number) => JSON.stringify(Array.from({ length: count }, () => 1))

describe('the shape of a body', () => {
  test.for([
    ['no values', '{}', null],
    ['as many values as a list may have', listed(MOST_VALUES - 1), null],
    ['a value more', listed(MOST_VALUES), 'tooMany'],
    ['very many empty objects', `[${'{},'.repeat(MOST_VALUES / 2)}1]`, 'tooMany'],
    ['as many names as it may have', named(MOST_NAMES), null],
    ['a name more', named(MOST_NAMES + 1), 'tooMany'],
    ['names in objects of their own', `[${Array.from({ length: 2_001 }, (_, i) => `{"k${i}":1}`).join()}]`, 'tooMany'],
    ['the same names in each row', `[${'{"a" :1,"b":{"c":[]}},'.repeat(10_000)}1]`, null],
    ['64 levels', '['.repeat(64), null],
    ['65 levels', '['.repeat(65), 'tooDeep'],
    ['signs within a text, some of them after a backslash', JSON.stringify(`"\\${'[{,:"'.repeat(MOST_VALUES)}`), null],
    ['a text that does not end', `{"a":"${'\\'.repeat(9)}`, null],
  ] as const)('with %s', ([, json, problem]) => {
    expect(problemOfShape(json)).toBe(problem)
  })
})
