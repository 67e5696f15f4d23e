import { describe, expect, test } from 'vitest'
import { csvLines } from '../../../src/shared/insight/reports/write-csv-lines.ts'

const line = (...cells: unknown[]) => csvLines([cells]).toString()

describe('a line of a CSV file', () => {
  test.each<[string, unknown[], string]>([
    ['quotes commas and quotes', ['Ruiz, Ana "Ace"'], '"Ruiz, Ana ""Ace"""'],
    ['quotes any line break, so that a cell stays one cell', ['two\nlines', 'a\r\nb'], '"two\nlines","a\r\nb"'],
    ['keeps numbers, negative ones too, and dates as they are', [-5, 12.5, '2026-11-22'], '-5,12.5,2026-11-22'],
    ['says true and false, and nothing for null', [true, false, null], 'true,false,'],
    ['keeps a text from being a formula', ['=1+1', '+1 555', '-x', '@SUM(A1)'], "'=1+1,'+1 555,'-x,'@SUM(A1)"],
    ['keeps a text that begins with a tab or a return from being one, too', ['\t=1', '\r=1'], `'\t=1,"'\r=1"`],
    ['leaves a sign within a text as it is', ['a=1', 'N1-2', 'Ana @ Bay'], 'a=1,N1-2,Ana @ Bay'],
    ['is UTF-8', ['Jürgen', '東京'], 'Jürgen,東京'],
  ])('%s', (_what, cells, text) => {
    expect(line(...cells)).toBe(`${text}\r\n`)
  })

  test('follows a byte order mark when it is the first, so that Excel reads names as UTF-8', () => {
    expect([...csvLines([['é']], { bom: true })]).toEqual([0xef, 0xbb, 0xbf, 0xc3, 0xa9, 0x0d, 0x0a])
  })
})
