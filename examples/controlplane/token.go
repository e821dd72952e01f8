package main

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"time"

	"github.com/toolfacade/toolfacade/facade"
)

// Token is what lets a caller in. The secret itself is not kept.
type Token struct {
	// ID identifies it.
	ID string `json:"id"`
	// Name is for people.
	Name string `json:"name,omitempty"`
	// Access is read, write or admin.
	Access Access `json:"access"`
	// Project is the only one it is for; absent for all.
	Project string `json:"project,omitempty"`
	// Created is when it was made.
	Created time.Time `json:"created"`
}

// token is how it is stored.
type token struct {
	Token
	Sum string `json:"sum"` // hash of the secret
}

type tokenCreateInput struct {
	inProject
	// What the token may do.
	Access Access `json:"access" enum:"read,write,admin"`
	// What it is for.
	Name string `json:"name,omitempty"`
}

type tokenCreateOutput struct {
	// Token as it is listed.
	Token Token `json:"token"`
	// Secret lets its holder in; it is shown only now.
	Secret string `json:"secret"`
}

type tokenListInput struct{ inProject }

type tokenListOutput struct {
	// Tokens of the project, or all.
	Tokens []Token `json:"tokens"`
}

type tokenRevokeInput struct {
	inProject
	// Id of the token.
	ID string `json:"id" example:"t-abc"`
}

func (p *Plane) tokenTool() *facade.Tool {
	return facade.New("token", "Who may do what.",
		facade.Bind("create", facade.EffectWrite, "Make a token, for one project or for all.", p.createToken),
		facade.Bind("list", facade.EffectRead, "List tokens.", p.listTokens),
		facade.Bind("revoke", facade.EffectWrite|facade.EffectDestructive, "Make a token worthless.", p.revokeToken))
}

func digest(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

func (p *Plane) createToken(_ context.Context, in tokenCreateInput) (tokenCreateOutput, error) {
	if in.Project != "" {
		if err := p.within(in.Project); err != nil {
			return tokenCreateOutput{}, err
		}
	}
	id, secret := newID(kindToken), rand.Text()
	t, err := change(p.store, kindToken, global, id, func(v *token, _ bool) error {
		*v = token{Token{id, in.Name, in.Access, in.Project, time.Now()}, digest(secret)}
		return nil
	})
	return tokenCreateOutput{t.Token, secret}, err
}

func (p *Plane) listTokens(_ context.Context, in tokenListInput) (tokenListOutput, error) {
	out := tokenListOutput{Tokens: []Token{}}
	all, err := list[token](p.store, kindToken, global)
	for _, t := range all {
		if in.Project == "" || t.Project == in.Project {
			out.Tokens = append(out.Tokens, t.Token)
		}
	}
	return out, err
}

func (p *Plane) revokeToken(_ context.Context, in tokenRevokeInput) (deletedOutput, error) {
	t, err := get[token](p.store, kindToken, global, in.ID)
	if err == nil && in.Project != "" && t.Project != in.Project { // as if it were not there
		err = facade.Errorf(facade.CodeNotFound, "there is no token '%s'", in.ID)
	}
	if err == nil {
		err = p.store.remove(kindToken, global, in.ID)
	}
	return deletedOutput{in.ID}, err
}

// tokensOf revokes all tokens of a project.
func (p *Plane) tokensOf(project string) error {
	all, err := list[token](p.store, kindToken, global)
	for _, t := range all {
		if t.Project == project {
			err = errors.Join(err, p.store.remove(kindToken, global, t.ID))
		}
	}
	return err
}

// check tells who holds a secret; the zero caller may do nothing. Hashes are
// compared, so that the time of a comparison tells nothing of a secret.
func (p *Plane) check(secret string) caller {
	all, err := list[token](p.store, kindToken, global)
	if err != nil || secret == "" {
		return caller{}
	}
	sum := digest(secret)
	for _, t := range all {
		if t.Sum == sum {
			return caller{t.Access, t.Project}
		}
	}
	return caller{}
}

// First makes the first token, for everything, unless there is one already; then
// it returns "".
func (p *Plane) First(ctx context.Context) (string, error) {
	all, err := list[token](p.store, kindToken, global)
	if err != nil || len(all) > 0 {
		return "", err
	}
	out, err := p.createToken(ctx, tokenCreateInput{Access: Admin, Name: "first"})
	return out.Secret, err
}
