package martlet

import (
	"context"

	"martlet.internal/go/martlet/internal/transport"
	"martlet.internal/go/martletpb"
)

// Server is a connection to a server as a whole: its databases. It runs no statements.
type Server struct{ *Conn }

// OpenServer connects to a server. A database that the URL names is not looked at.
func OpenServer(ctx context.Context, url string, options Options) (*Server, error) {
	address, err := transport.ParseAddress(url)
	if err != nil {
		return nil, callError(ReasonMalformed, "The URL is not understood", err)
	}
	address.Database = ""
	connection, err := connect(ctx, url, address, options)
	if err != nil {
		return nil, err
	}
	return &Server{connection}, nil
}

// Databases are all databases, by name.
func (s *Server) Databases(ctx context.Context) ([]*martletpb.DatabaseInfo, error) {
	var found []*martletpb.DatabaseInfo
	task := &martletpb.Administer{Task: martletpb.Administer_TASK_LIST}
	for {
		reply, err := s.administer(ctx, task)
		page := reply.GetDatabases()
		if err != nil {
			return nil, err
		}
		found = append(found, page.GetDatabases()...)
		if !page.GetMore() || len(page.Databases) == 0 {
			return found, nil
		}
		task.Database = []byte(found[len(found)-1].Name)
	}
}

// CreateDatabase makes an empty database, and fails if there is one of that name.
func (s *Server) CreateDatabase(ctx context.Context, name string) error {
	_, err := s.administer(ctx, &martletpb.Administer{Task: martletpb.Administer_TASK_CREATE, Database: []byte(name)})
	return err
}

// RenameDatabase gives a database another name. It fails if somebody has it open, unless their sessions are to end.
func (s *Server) RenameDatabase(ctx context.Context, name, newName string, endSessions bool) error {
	_, err := s.administer(ctx, &martletpb.Administer{
		Task: martletpb.Administer_TASK_RENAME, Database: []byte(name), NewName: []byte(newName), EndSessions: endSessions,
	})
	return err
}

// DropDatabase removes a database for good. It fails if somebody has it open, unless their sessions are to end.
func (s *Server) DropDatabase(ctx context.Context, name string, endSessions bool) error {
	_, err := s.administer(ctx, &martletpb.Administer{
		Task: martletpb.Administer_TASK_DROP, Database: []byte(name), EndSessions: endSessions,
	})
	return err
}

func (s *Server) administer(ctx context.Context, task *martletpb.Administer) (*martletpb.ServerMessage, error) {
	return s.Ask(ctx, &martletpb.ClientMessage{Kind: &martletpb.ClientMessage_Administer{Administer: task}})
}
