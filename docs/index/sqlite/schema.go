package sqlite

import (
	"context"
	"errors"
	"fmt"
	"unicode"

	"golang.org/x/text/unicode/norm"
	driver "modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"github.com/toolfacade/toolfacade/facade"
)

// version is that of the tables below.
const version = 2

// The tables. A chunk's id is that of its document times [maxChunks] plus its
// number, so that the chunks of a document are a range. The words are cut by
// docs.Terms, joined by blanks, so that every backend finds the same; FTS5
// keeps the index of them, but not the words again. To delete a row it has to be
// told its words, which are cut again: the table unicode tells by which
// tables of characters. (With contentless_delete it would not need them, but
// then its counts, and so its ranking, go wrong with every deletion.)
const tables = `
CREATE TABLE documents (id INTEGER PRIMARY KEY AUTOINCREMENT, path TEXT NOT NULL UNIQUE, format TEXT NOT NULL, version TEXT NOT NULL);
CREATE TABLE chunks (id INTEGER PRIMARY KEY, text TEXT NOT NULL, heading TEXT NOT NULL, block TEXT NOT NULL, kind TEXT NOT NULL, page INTEGER NOT NULL, vector BLOB);
CREATE VIRTUAL TABLE terms USING fts5 (words, content='', tokenize='ascii');
CREATE VIRTUAL TABLE vocabulary USING fts5vocab ('terms', 'row');
CREATE TABLE unicode (version TEXT NOT NULL);
`

// characters names the tables that cut words.
const characters = unicode.Version + " " + norm.Version

// maxChunks bounds the chunks of a document; more are left out.
const maxChunks = 1 << 20

// application is the mark of our files, "tfix".
const application = 0x74666978

// migrate makes the tables, and empties a file of an older version.
func (i *Index) migrate(ctx context.Context) error {
	tx, err := i.write.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() //nolint:errcheck // fails after Commit, as it should
	var has, app, objects int
	if err := tx.QueryRowContext(ctx, "SELECT user_version, application_id, (SELECT count(*) FROM sqlite_schema) FROM pragma_user_version, pragma_application_id").
		Scan(&has, &app, &objects); err != nil {
		return err
	}
	switch {
	case objects > 0 && app != application:
		return errors.New("it is a database of something else")
	case has > version:
		return fmt.Errorf("it has version %d, this program knows version %d", has, version)
	case has == version:
		var by string
		if err := tx.QueryRowContext(ctx, "SELECT version FROM unicode").Scan(&by); err != nil {
			return err
		}
		if by == characters {
			return tx.Commit()
		}
	}
	for _, stmt := range []string{
		"DROP TABLE IF EXISTS documents", "DROP TABLE IF EXISTS chunks", "DROP TABLE IF EXISTS vocabulary", "DROP TABLE IF EXISTS terms", "DROP TABLE IF EXISTS unicode", tables,
		"INSERT INTO unicode VALUES ('" + characters + "')",
		fmt.Sprintf("PRAGMA user_version = %d", version), fmt.Sprintf("PRAGMA application_id = %d", application),
	} {
		if _, err := tx.ExecContext(ctx, stmt); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// codeOf is the code of an error of SQLite.
func codeOf(err error) facade.Code {
	e, ok := errors.AsType[*driver.Error](err)
	if !ok {
		return facade.CodeIO
	}
	switch e.Code() & 0xff {
	case lib.SQLITE_FULL:
		return facade.CodeNoSpace
	case lib.SQLITE_BUSY, lib.SQLITE_LOCKED:
		return facade.CodeLocked
	case lib.SQLITE_READONLY, lib.SQLITE_PERM, lib.SQLITE_CANTOPEN:
		return facade.CodePermissionDenied
	}
	return facade.CodeIO
}
