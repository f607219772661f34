// SPDX-License-Identifier: Apache-2.0
// What the client can do, resolved once from its capabilities; and what we offer in return.
#pragma once

#include "protocol/position_encoding.h"
#include "protocol/types.h"

namespace etlens {

struct ClientCapabilities {
  lsp::PositionEncoding encoding = lsp::PositionEncoding::Utf16;  // agreed on
  bool markdown_hover = false;
  bool label_parts = false;  // looks at the parts of an inlay hint's label
  bool hint_refresh = false;
  bool lens_refresh = false;
  bool diagnostics_version = false;
  bool configuration = false;  // workspace/configuration
  bool register_configuration = false;
  bool register_definition = false;  // dynamic registration, for documents of our own
  bool watch_files = false;          // dynamic registration of watched files
  bool show_document = false;
  bool progress = false;            // window/workDoneProgress
  bool provided_documents = false;  // workspace/textDocumentContent
  bool code_actions =
      false;  // literals of them; not of clients that show more than hints, which have their own
  // Of our own clients, in capabilities.experimental.etlens:
  bool profile_changed = false;  // wants etlens/profileChanged
  bool reveal_events = false;    // has the command etlens.revealInEvents
  bool hover_images = false;     // shows pictures of data URIs in hovers
  bool hover_links = false;      // follows links to lines of files in hovers
  bool profile_model = false;    // has the commands that lenses of models name, and may run them
  bool call_hierarchy = false;   // asks every server for calls, or this one alone
};

ClientCapabilities resolve_capabilities(const lsp::Json& capabilities);

lsp::Json server_capabilities(const ClientCapabilities& client);

}  // namespace etlens
