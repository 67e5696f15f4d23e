import { describe, expect, test } from 'vitest'
import { readJson } from '../../../src/shared/portability/reading/read-json.ts'

async function rowsOf(...chunks: string[]): Promise<string[][]> {
  async function* open() {
    yield* chunks
  }
  const rows: string[][] = []
  for await (const row of readJson(open)) rows.push(row)
  return rows
}

const refusal = (...chunks: string[]) => rowsOf(...chunks).then(String, ({ code, message }) => ({ code, message }))

describe('a file of JSON (§Imports)', () => {
  test('has the keys of all its objects as columns, and values as a spreadsheet would have them', async () => {
    const text = '[{"name":"Ana","roles":["student","renter"]},{"age":31,"name":null,"address":{"city":"Hayward"}}]'
    const rows = [
      ['name', 'roles', 'age', 'address'],
      ['Ana', 'student renter', '', ''],
      ['', '', '31', '\u0001nested'],
    ]
    expect(await rowsOf(text)).toEqual(rows)
    expect(await rowsOf(...text)).toEqual(rows)
  })

  test('may have 200 keys and lists of thousands of words, and no more', async () => {
    const keys = (count: number) => Array.from({ length: count }, (_, at) => [`c${at}`, 1])
    expect((await rowsOf(JSON.stringify([Object.fromEntries(keys(200))])))[0]).toHaveLength(200)
    const apart = keys(201).map(([key]) => ({ [key as string]: 1 }))
    expect(await refusal(JSON.stringify(apart))).toMatchObject({ code: 'TOO_MANY_COLUMNS' })
    // Four tokens for the braces' first, key, colon and bracket, one for each word, and the commas between them: 4 + 2 × 9,998 - 1 = 19,999.
    const list = (words: number) => JSON.stringify([{ name: 'Ana' }, { list: Array(words).fill('a') }, {}])
    expect((await rowsOf(list(9_998)))[2]?.[1]).toHaveLength(2 * 9_998 - 1)
    expect(await refusal(list(10_000))).toEqual({
      code: 'ROW_TOO_LARGE',
      message: 'Object 2 of the array is too large.',
    })
  })

  test('of millions of objects in one, or of a list, is refused while it is read', async () => {
    const million = `${'{},'.repeat(1_000_000)}{}`
    expect(await refusal(`[{"a":[${million}`)).toMatchObject({ code: 'ROW_TOO_LARGE' })
    expect(await refusal(`[[${million}`)).toMatchObject({ code: 'ROW_TOO_LARGE' })
    const mebibyte = 'x'.repeat(1024 * 1024)
    expect(await refusal('[{"a":"', ...Array<string>(13).fill(mebibyte))).toMatchObject({ code: 'ROW_TOO_LARGE' })
    expect((await rowsOf('[{"a":"', ...Array<string>(12).fill(mebibyte), '"}]'))[1]?.[0]).toHaveLength(12 * 1024 * 1024)
  })
})
