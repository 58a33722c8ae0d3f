// A tree of tasks with every kind of node, two tasks with one name and an unknown member.
#pragma once

#include <string_view>

namespace holdfast::inline v1 {

inline constexpr std::string_view kTree =
    R"([{"id":"auth","name":"Auth","state":"Pending","node_type":"module","children":[)"
    R"({"id":"api","name":"Api","state":"Pending","node_type":"component","note":"kept","children":[)"
    R"({"id":"test","name":"Test","state":"Pending","node_type":"task","children":[]},)"
    R"({"id":"jwt","name":"Add JWT","state":"Pending","node_type":"task","children":[)"
    R"({"id":"sign","name":"Sign","state":"Pending","node_type":"subtask"}]}]},)"
    R"({"id":"db","name":"Db","state":"Pending","node_type":"component","children":[)"
    R"({"id":"test","name":"Test","state":"Pending","node_type":"task","children":[]}]}]}])";

}  // namespace holdfast::inline v1
