import { Buffer } from 'node:buffer'
import { describe, expect, test } from 'vitest'
import { readCsv } from '../../../src/shared/portability/reading/read-csv.ts'
import { type Encoding, readText } from '../../../src/shared/portability/reading/read-text.ts'

type Bytes = () => AsyncIterable<Uint8Array>

const bytesOf = (...chunks: (string | Uint8Array)[]): Bytes =>
  async function* () {
    for (const chunk of chunks) yield Buffer.from(chunk as string)
  }

async function rowsOf(bytes: Bytes, said: Encoding | null = null): Promise<string[][]> {
  const rows: string[][] = []
  for await (const row of readCsv(readText(bytes, said))) rows.push(row)
  return rows
}

const refusal = (bytes: Bytes, said?: Encoding) =>
  rowsOf(bytes, said).then(String, ({ code, message }) => ({ code, message }))

describe('a CSV file (§Imports)', () => {
  test.each([
    ['commas', 'a,b\n1,2\n'],
    ['semicolons, a mark and CRLF', '\ufeffa;b\r\n1;2\r\n'],
    ['tabs, and no end of its last line', 'a\tb\n1\t2'],
    ['quotation marks and blank lines', '"a","b"\n\n"1",2\n,\n'],
  ])('may have %s', async (_, text) => {
    expect(await rowsOf(bytesOf(text))).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ])
  })

  test.each([
    ['sep=;\r\na,x;b\r\n1;2', ';'],
    ['\ufeffsep=;\na,x;b\n1;2', ';'],
    ['"sep=;"\ra,x;b\r1;2', ';'],
    ['SEP=\t\na,x\tb\n1\t2', '\t'],
    ['sep=|\n\na,x|b\n1|2', '|'],
  ])('says its delimiter in a first line: %j', async (text, delimiter) => {
    const told: string[] = []
    const rows: string[][] = []
    for (const chunks of [[text], [...text]]) {
      for await (const row of readCsv(readText(bytesOf(...chunks), null), (one) => told.push(one))) rows.push(row)
    }
    const read = [
      ['a,x', 'b'],
      ['1', '2'],
    ]
    expect([rows, told]).toEqual([
      [...read, ...read],
      [delimiter, delimiter],
    ])
  })

  test('keeps delimiters, line breaks and inches inside its cells', async () => {
    expect(await rowsOf(bytesOf('a;"b,c,d"\n"x\ny";6\' 2" tall\n'))).toEqual([
      ['a', 'b,c,d'],
      ['x\ny', '6\' 2" tall'],
    ])
  })

  test('is UTF-8, or UTF-16 with its mark, also when its letters are cut in pieces', async () => {
    const western = Buffer.from('name\nJosé\n')
    const rows = [['name'], ['José']]
    expect(await rowsOf(bytesOf(western.subarray(0, 9), western.subarray(9)))).toEqual(rows)
    const utf16 = Buffer.from('\ufeffname\nJosé\n', 'utf16le')
    expect(await rowsOf(bytesOf(utf16.subarray(0, 1), utf16.subarray(1, 12), utf16.subarray(12)))).toEqual(rows)
    expect(await rowsOf(bytesOf(Buffer.from(utf16).swap16()))).toEqual(rows)
    expect(await rowsOf(bytesOf(western), 'windows-1252')).toEqual(rows)
  })

  test('is windows-1252 only when the import says so', async () => {
    const western = bytesOf(Buffer.from('name\nJosé\n', 'latin1'))
    expect(await rowsOf(western, 'windows-1252')).toEqual([['name'], ['José']])
    expect(await refusal(western)).toMatchObject({ code: 'NOT_UTF8' })
    const mixed = bytesOf('name\nJosé\n', Buffer.from('René', 'latin1'))
    expect(await refusal(mixed)).toMatchObject({ code: 'NOT_UTF8' })
  })

  test('with a quotation mark that is never closed is refused by the line of its row', async () => {
    expect(await refusal(bytesOf('a,b\n1,2\n3,"4\n5,6\n'))).toEqual({
      code: 'QUOTE_NOT_CLOSED',
      message: 'The quotation mark that is opened in the row of line 3 is never closed.',
    })
  })
})

describe('a hostile file is refused without being held', () => {
  /** Yields so many pieces of a MiB. */
  const mebibytes = (count: number, piece: string): Bytes =>
    async function* () {
      const chunk = Buffer.from(piece.repeat(Math.ceil((1024 * 1024) / piece.length)))
      for (let at = 0; at < count; at++) yield chunk
    }

  async function* chained(...parts: Bytes[]) {
    for (const part of parts) yield* part()
  }

  test('one with a cell of 50 MB', async () => {
    const file = () => chained(bytesOf('a,b\n1,'), mebibytes(50, 'x'))
    expect(await refusal(file)).toMatchObject({ code: 'ROW_TOO_LARGE', message: expect.stringContaining('line 2') })
  })

  test('one of more than 25 MiB', async () => {
    expect(await refusal(() => chained(bytesOf('a,b\n'), mebibytes(26, `${'x'.repeat(16_000)},2\n`)))).toEqual({
      code: 'FILE_TOO_LARGE',
      message: 'The file has more than 25 MiB.',
    })
  })

  test('one of a million columns', async () => {
    const file = bytesOf(`a${',a'.repeat(999_999)}\n`)
    expect(await refusal(file)).toMatchObject({ code: 'TOO_MANY_COLUMNS' })
    const blank = (count: number) => bytesOf(`a${','.repeat(count - 1)}\n`)
    expect(await refusal(blank(20_001))).toMatchObject({ code: 'TOO_MANY_COLUMNS' })
    expect((await rowsOf(blank(20_000)))[0]).toHaveLength(200)
  })
})
