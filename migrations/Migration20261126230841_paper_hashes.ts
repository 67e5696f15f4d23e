import { Migration } from '@mikro-orm/migrations'

/** An override keeps the hash of the file that was seen, when the document is deleted too. */
export class Migration20261126230841_paper_hashes extends Migration {
  override up(): void {
    this.addSql(`alter table rule_override add column document_sha256 text check (document_sha256 ~ '^[0-9a-f]{64}$')`)
  }
}
